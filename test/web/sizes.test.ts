/** The budgets of bytes. Times are printed by `npm run sizes`; they are not asserted. */
import t from 'tap'
import { budgets, pageSizes } from '../../scripts/web/page-sizes.mjs'

t.test('every page stays within its budget', async (t) => {
  const pages = pageSizes()
  t.ok(pages.length >= 6)
  for (const { name, code, withFont, own } of pages) {
    const limit = name === 'plan' ? budgets.page + budgets.plan : budgets.page
    t.ok(code <= limit, `${name}: ${code} bytes of JavaScript and CSS, ${limit} at most`)
    t.ok(withFont <= budgets.withFont + (name === 'plan' ? budgets.plan : 0), `${name}: ${withFont} bytes with the font`)
    if (name === 'plan') t.ok(own <= budgets.plan, `the plan adds ${own} bytes`)
  }
})
