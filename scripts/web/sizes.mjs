// What the pages cost: bytes per page against the budgets, and, where there is Chromium, the largest paint and the shifts of the layout on a
// slow network (1.6 Mb/s, 150 ms) with a slow processor (÷ 4): node scripts/web/sizes.mjs
import '../ready.mjs'
import { pathToFileURL } from 'node:url'
import { budgets, pageSizes } from './page-sizes.mjs'

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9)

console.log(`page          JS + CSS   with font   beyond the shell      (gzip; budgets: ${kilobytes(budgets.page).trim()}, ${kilobytes(budgets.withFont).trim()}, plan + ${kilobytes(budgets.plan).trim()})`)
for (const { name, code, withFont, own } of pageSizes()) {
  console.log(`${name.padEnd(13)}${kilobytes(code)}   ${kilobytes(withFont)}   ${kilobytes(own)}`)
}

process.env.TS_NODE_TRANSPILE_ONLY = '1'
process.removeAllListeners('warning')
await import('@tapjs/typescript/import')
const { measurePages } = await import(pathToFileURL(new URL('measure-pages.ts', import.meta.url).pathname).href)
await measurePages()
process.exit()
