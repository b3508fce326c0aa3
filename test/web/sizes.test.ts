/** The budgets of bytes. */
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { readPlanDocument } from '../../src/planning/views/plan-view.js'
import { budgets, pageSizes } from '../../scripts/web/page-sizes.mjs'

t.test('every page stays within its budget', async (t) => {
  const pages = pageSizes()
  t.ok(pages.length >= 6)
  const start = pages.find(({ name }) => name === 'explorations')?.code ?? 0
  for (const { name, code, withFont } of pages) {
    const limit = name === 'plan' ? budgets.page + budgets.plan : budgets.page
    t.ok(code <= limit, `${name}: ${code} bytes of JavaScript and CSS, ${limit} at most`)
    t.ok(withFont <= budgets.withFont + (name === 'plan' ? budgets.plan : 0), `${name}: ${withFont} bytes with the font`)
    if (name === 'plan') t.ok(code - start <= budgets.plan, `the plan needs ${code - start} bytes more than the first page`)
  }
})

t.test('the plan in a chat is one file of at most 60 kB, that needs nothing from elsewhere', async (t) => {
  const document = readPlanDocument() ?? ''
  const bytes = gzipSync(document, { level: 9 }).length
  t.comment(`${bytes} bytes with gzip, ${document.length} without`)
  t.ok(bytes > 5000 && bytes <= 60_000, `${bytes} bytes with gzip`)
  t.notMatch(document, /<(?:script|link)[^>]* (?:src|href)=|@import|url\(/, 'no address of anything else')
  t.match(document, /^[\t\n\x20-\x7e]*$/, 'only ASCII: no encoding and no filter changes it')
})
