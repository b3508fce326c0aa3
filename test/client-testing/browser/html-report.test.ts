// The HTML report in a browser, where there is one: light, dark and narrow, without violations, without a request to outside.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { PROFILES } from '../../../src/client-testing/profiles/all-profiles.js'
import { toHtml } from '../../../src/client-testing/reports/html.js'
import { createReport, toClause, type Check } from '../../../src/client-testing/reports/report.js'
import { browser, checkAxe, noBrowser, openWindow } from '../../helpers/browser.js'

const exchange: Check['exchanges'][number] = {
  number: 1, at: '2026-01-01T00:00:00.000Z', duration_ms: 1, method: 'POST', url: '/mcp', headers: { accept: 'x'.repeat(300) }, body: { a: 1 }, status: 200, reply_headers: {}, events: [{ b: 2 }]
}
const checks = PROFILES.slice(0, 12).map((profile, index): Check => ({
  id: profile.id,
  group: index % 2 === 0 ? 'one' : 'two',
  title: profile.happens,
  level: profile.level,
  status: (['passed', 'failed', 'not-exercised'] as const)[index % 3]!,
  clauses: [toClause('2025-11-25', 'basic#messages')],
  outcome: 'copes',
  detail: 'in detail',
  exchanges: [exchange],
  reproduce: 'npx exploration-mcp grade -- client'
}))

t.test('the page', { skip: noBrowser }, async (t) => {
  const file = join(t.testdir(), 'report.html')
  writeFileSync(file, toHtml(createReport({ command: 'grade', subject: 'node client.mjs', startedAt: 0, checks, notes: ['a note'] })))
  const { page, close } = await openWindow(await browser(t), { url: pathToFileURL(file).href })
  const outside: string[] = []
  page.on('request', (request) => { if (!request.url().startsWith('file:')) outside.push(request.url()) })
  await page.goto(pathToFileURL(file).href)
  await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true')
  await checkAxe(t, page, 'the report')
  t.strictSame(outside, [])
  await close()
})
