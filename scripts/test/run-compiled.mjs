/** Runs a TypeScript file as the tests run, compiled into .test-build/, where a loader would take 7 s of CPU: node scripts/test/run-compiled.mjs FILE ARGUMENTS… */
import { pathToFileURL } from 'node:url'
import { compile, compiledPath } from './compile.mjs'

// The file sees its own arguments.
process.argv.splice(1, 1)
const [, file] = process.argv
if (file === undefined) throw new Error('FILE: the file to run, relative to the project')
await compile()
await import(pathToFileURL(compiledPath(file)).href)
