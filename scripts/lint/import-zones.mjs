/**
 * A plugin of the linter, with the interface of ESLint's plugins: where a module of src/ may import from. It resolves each relative import, so
 * the depth of a file does not matter.
 */
import { join, posix, relative, sep } from 'node:path'

// From the top to the bottom: a folder of src/ imports only from tiers below its own, and from the folders that BESIDE lists.
const TIERS = [
  { name: 'apps', folders: ['cli', 'server', 'web'] },
  {
    name: 'features',
    folders: ['administration', 'client-testing', 'agent-setup', 'importers', 'oauth', 'platform-api', 'planning', 'search', 'access']
  },
  { name: 'adapters', folders: ['db', 'cluster', 'telemetry', 'http'] },
  { name: 'core', folders: ['engine', 'config', 'lib'] }
]

// What else a folder imports, of its own tier or, for the adapters of ports, of the tier above. It has no circle.
/** @type {Readonly<Record<string, readonly string[]>>} */
const BESIDE = {
  cli: ['server', 'web'],
  server: ['web'],
  administration: ['access', 'agent-setup', 'importers', 'oauth', 'planning', 'platform-api', 'search'],
  'agent-setup': ['access'],
  'client-testing': ['access'],
  importers: ['planning', 'search'],
  oauth: ['access'],
  'platform-api': ['access', 'planning'],
  search: ['planning'],
  cluster: ['db'],
  // The rules of secrets and of events are those of the ports that it implements.
  db: ['access', 'planning'],
  engine: ['lib'],
  config: ['lib']
}

const BROWSER = 'web/app/'
// Modules of the server that the browser may use too: they import nothing themselves.
const SHARED_WITH_BROWSER = [
  'web/page-paths.js', 'web/theme-cookie.js', 'administration/operation-path.js', 'administration/views/fill-link.js',
  'administration/views/markdown-node.js', 'administration/views/markdown-tree.js', 'lib/text/invisible.js',
  'lib/text/application-name.js'
]

const NOT_IN_BROWSER = 'Code of the server does not reach the browser: import types, or a module of SHARED_WITH_BROWSER.'

/** @param {string} path from src/ */
const folderOf = (path) => path.slice(0, Math.max(0, path.indexOf('/')))

/** @param {string} folder */
const tierOf = (folder) => TIERS.findIndex(({ folders }) => folders.includes(folder))

/**
 * What is wrong with an import by a module of src/, if anything is. Packages and modules outside of src/ are not checked.
 * @param {string} file path of the importing module from src/
 * @param {string} source as it is written in the `import`
 * @param {boolean} isType whether only types are imported
 */
const importFault = (file, source, isType) => {
  const inBrowser = file.startsWith(BROWSER) && !isType
  if (source.startsWith('node:')) return inBrowser ? NOT_IN_BROWSER : undefined
  const target = posix.join(posix.dirname(file), source)
  const [folder, targetFolder] = [folderOf(file), folderOf(target)]
  // The program's start is above all tiers.
  if (!source.startsWith('.') || target.startsWith('..') || folder === '') return undefined
  const tier = tierOf(folder)
  if (tier === -1) return `src/${folder} has no place in TIERS of scripts/lint/import-zones.mjs: add it.`
  const isPortOfAdapter = isType && TIERS[tier]?.name === 'adapters' && TIERS[tierOf(targetFolder)]?.name === 'features'
  if (targetFolder !== folder && tierOf(targetFolder) <= tier && !isPortOfAdapter && !BESIDE[folder]?.includes(targetFolder)) {
    return `src/${folder} imports only from tiers below it: see TIERS and BESIDE in scripts/lint/import-zones.mjs.`
  }
  // It is a user of the engine like any other.
  if (folder === 'client-testing' && targetFolder === 'engine' && target !== 'engine/engine.js') {
    return 'src/client-testing takes from src/engine only what exploration-mcp/engine exports.'
  }
  return inBrowser && !target.startsWith(BROWSER) && !SHARED_WITH_BROWSER.includes(target) ? NOT_IN_BROWSER : undefined
}

/**
 * @typedef {{ importKind?: string, exportKind?: string }} Specifier
 * @typedef {Specifier & { source?: { type: string, value?: unknown } | null, specifiers?: Specifier[] }} Import
 */

/** @param {Specifier} node */
const isTypeKind = ({ importKind, exportKind }) => importKind === 'type' || exportKind === 'type'

export default {
  meta: { name: 'project' },
  rules: {
    'import-zones': {
      /**
       * The linter is started in the folder of the project.
       * @param {{ cwd: string, filename: string, report: (problem: { node: Import, message: string }) => void }} context
       */
      create (context) {
        const file = relative(join(context.cwd, 'src'), context.filename).replaceAll(sep, '/')
        const check = (/** @type {Import} */ node) => {
          if (node.source?.type !== 'Literal') return
          const { specifiers = [] } = node
          const isType = isTypeKind(node) || (specifiers.length > 0 && specifiers.every(isTypeKind))
          const message = importFault(file, String(node.source.value), isType)
          if (message !== undefined) context.report({ node, message })
        }
        return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check }
      }
    }
  }
}
