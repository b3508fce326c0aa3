/**
 * A plugin of the linter, with the interface of ESLint's plugins: where a module of src/ may import from. It resolves each relative import, so
 * the depth of a file does not matter.
 */
import { dirname, join, relative, sep } from 'node:path'

// From the top to the bottom: a folder of src/ imports only from the folders below it, and the protocol engine (mcp) only from lib.
const FOLDERS = [
  'commands', 'server', 'web', 'workbench', 'oauth', 'api', 'telemetry', 'platform', 'cluster', 'search',
  'importers', 'db', 'coding-agents', 'planning', 'mcp', 'auth', 'audit', 'http', 'lib'
]

// Modules that these folders do not import: they would depend on the whole program.
const OF_THE_PROGRAM = ['config.js', 'server-info.js']

const BROWSER = 'web/app/'
// Modules of the server that the browser may use too: they import nothing themselves.
const SHARED_WITH_BROWSER = [
  'web/page-paths.js', 'web/theme-cookie.js', 'web/api/fill-link.js', 'web/api/markdown-node.js', 'lib/invisible.js',
  'lib/application-name.js'
]

const NOT_IN_BROWSER = 'Code of the server does not reach the browser: import types, or a module of SHARED_WITH_BROWSER.'

/** @param {string} path from src/ */
const folderOf = (path) => path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined

/**
 * What is wrong with an import of a module of src/ by another, if anything is.
 * @param {string} file path of the importing module from src/
 * @param {string} target path of the imported module from src/
 * @param {boolean} isType whether only types are imported
 */
const zoneFault = (file, target, isType) => {
  const folder = folderOf(file)
  if (folder === undefined) return undefined
  if (!FOLDERS.includes(folder)) return `src/${folder} has no place in FOLDERS of scripts/lint/import-zones.mjs: add it.`
  const targetFolder = folderOf(target)
  const isAbove = targetFolder === undefined
    ? target === 'cli.js' || (['mcp', 'lib'].includes(folder) && OF_THE_PROGRAM.includes(target))
    : targetFolder !== folder &&
      (folder === 'mcp' ? targetFolder !== 'lib' : FOLDERS.indexOf(targetFolder) < FOLDERS.indexOf(folder))
  if (isAbove) return `src/${folder} imports only from the folders below it: see FOLDERS in scripts/lint/import-zones.mjs.`
  // The workbench is a user of the engine like any other.
  if (folder === 'workbench' && targetFolder === 'mcp' && target !== 'mcp/engine.js') {
    return 'src/workbench takes from src/mcp only what exploration-mcp/engine exports.'
  }
  const isOfServer = !target.startsWith(BROWSER) && !SHARED_WITH_BROWSER.includes(target)
  return file.startsWith(BROWSER) && isOfServer && !isType ? NOT_IN_BROWSER : undefined
}

/**
 * What is wrong with an import by a module of src/, if anything is. Packages and modules outside of src/ are not checked.
 * @param {string} src the folder
 * @param {string} path of the importing module
 * @param {string} source as it is written in the `import`
 * @param {boolean} isType whether only types are imported
 */
const importFault = (src, path, source, isType) => {
  const file = relative(src, path).replaceAll(sep, '/')
  if (file.startsWith('..')) return undefined
  if (source.startsWith('node:')) return file.startsWith(BROWSER) && !isType ? NOT_IN_BROWSER : undefined
  if (!source.startsWith('.')) return undefined
  const target = relative(src, join(dirname(path), source)).replaceAll(sep, '/')
  return target.startsWith('..') ? undefined : zoneFault(file, target, isType)
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
        const src = join(context.cwd, 'src')
        const check = (/** @type {Import} */ node) => {
          if (node.source?.type !== 'Literal') return
          const { specifiers = [] } = node
          const isType = isTypeKind(node) || (specifiers.length > 0 && specifiers.every(isTypeKind))
          const message = importFault(src, context.filename, String(node.source.value), isType)
          if (message !== undefined) context.report({ node, message })
        }
        return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check }
      }
    }
  }
}
