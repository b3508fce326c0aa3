/**
 * What `npm run types` and `npm run lint` say, in half of the time: both look at the same programs of the compiler, which each of them would
 * parse and check for itself. Lines of the form `types: 3 errors` and `lint: 1 error` end it.
 */
import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'
import typescript from 'typescript'
import config, { PROJECTS, TYPED_FILES } from './eslint.config.mjs'

const { createCompilerHost, createProgram, formatDiagnostics, formatDiagnosticsWithColorAndContext, getPreEmitDiagnostics, sys } = typescript
const root = fileURLToPath(new URL('../', import.meta.url))

/** @param {string} project path of a tsconfig.json */
const open = (project) => {
  const parsed = typescript.getParsedCommandLineOfConfigFile(root + project, {}, {
    ...sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => { throw new Error(typescript.flattenDiagnosticMessageText(diagnostic.messageText, '\n')) }
  })
  if (!parsed) throw new Error(`${project} cannot be read.`)
  const { fileNames: rootNames, options, errors: configFileParsingDiagnostics } = parsed
  // ESLint's rules go from a node to its parent.
  return createProgram({ rootNames, options, configFileParsingDiagnostics, host: createCompilerHost(options, true) })
}

/**
 * @param {string} name
 * @param {number} errors
 */
const report = (name, errors) => {
  console.log(`${name}: ${errors} ${errors === 1 ? 'error' : 'errors'}`)
  if (errors > 0) process.exitCode = 1
}

const programs = PROJECTS.map(open)
const diagnostics = programs.flatMap((program) => getPreEmitDiagnostics(program))
const format = process.stdout.isTTY ? formatDiagnosticsWithColorAndContext : formatDiagnostics
process.stdout.write(format(diagnostics, {
  getCanonicalFileName: (path) => path, getCurrentDirectory: () => root, getNewLine: () => '\n'
}))
report('types', diagnostics.length)

const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  overrideConfig: [...config, { files: TYPED_FILES, languageOptions: { parserOptions: { project: null, programs } } }]
})
const results = await eslint.lintFiles(['.'])
process.stdout.write(await (await eslint.loadFormatter('stylish')).format(results))
report('lint', results.reduce((sum, { errorCount, warningCount }) => sum + errorCount + warningCount, 0))
