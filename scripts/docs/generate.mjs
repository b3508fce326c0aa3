/** Writes all generated pages and the snapshot of the tools, in one process: `npm run fresh`. */
import '../ready.mjs'
import { pathToFileURL } from 'node:url'
import { compile, compiledPath } from '../test/compile.mjs'

const SCRIPTS = ['commands-page', 'specification-pages', 'profiles-page', 'engine-page', 'web-permissions-page', 'web-api-page', 'tools-snapshot']

await compile()
for (const name of SCRIPTS) await import(pathToFileURL(compiledPath(`scripts/docs/${name}.ts`)).href)
