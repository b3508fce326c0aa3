// Runs a TypeScript file of the tests or the benches with the loader that the tests use: node scripts/typescript.mjs FILE ARGUMENTS…
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

process.env.TS_NODE_TRANSPILE_ONLY = '1'
process.removeAllListeners('warning')
await import('@tapjs/typescript/import')

process.argv.splice(1, 1)
await import(pathToFileURL(resolve(process.argv[1] ?? '')).href)
