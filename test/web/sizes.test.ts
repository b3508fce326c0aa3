/** The budgets of bytes. Times are printed by `npm run sizes`; they are not asserted. */
import t from 'tap'
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
