// Reports in every format: valid by the schema of each, without secrets, and with hostile texts made harmless.
import { join } from 'node:path'
import t from 'tap'
import { grade } from '../../src/client-testing/grade/grade.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import { applyBaseline, differencesFrom, readBaseline, readEarlierRun } from '../../src/client-testing/reports/baseline.js'
import { toBadge } from '../../src/client-testing/reports/badge.js'
import { toHtml } from '../../src/client-testing/reports/html.js'
import { toJunit } from '../../src/client-testing/reports/junit.js'
import { toMarkdown } from '../../src/client-testing/reports/markdown.js'
import { createReport, failuresFor, type Check, type Report } from '../../src/client-testing/reports/report.js'
import { toSarif } from '../../src/client-testing/reports/sarif.js'
import { toText } from '../../src/client-testing/reports/text.js'
import { toJson } from '../../src/client-testing/reports/write-reports.js'
import { createTestToken, startTestServer } from '../../src/client-testing/test-server.js'
import { runClient } from './client/work.js'
import { sarifIds, validReport } from './report-files.js'

const token = createTestToken()
const HOSTILE = '</script><img src=x onerror=alert(1)>]]>&\u0000\u001b[31m\ud800 | `code` ![x](http://evil.example/) \u202e'
const FAILED = ['get-refused', 'id-other', 'redirect-other-origin']

/** With texts that a client or a server chose. */
const gradeSome = async (): Promise<Report> => {
  const server = await startTestServer(token)
  t.teardown(() => server.close())
  const checks = await grade({
    server,
    token,
    requireSuccess: true,
    profiles: PROFILES.filter(({ id }) => [...FAILED, 'reply-stream', 'sampling'].includes(id)),
    reproduce: (profile) => `npx exploration-mcp grade --profile ${profile?.id} -- ./client ${HOSTILE}`,
    client: { run: (url) => runClient({ url, token, era: 'legacy', defects: ['anyId', 'strict', 'followsWithCredential'] }) }
  })
  const poisoned = checks.map((check) => check.status === 'failed' ? { ...check, detail: `${check.detail} ${HOSTILE}`, group: `${check.group} ${HOSTILE}` } : check)
  return createReport({ command: 'grade', subject: `./client ${HOSTILE}`, startedAt: Date.now(), checks: poisoned, notes: [HOSTILE] })
}

const report = await gradeSome()
const formats = {
  json: toJson(report),
  junit: toJunit(report),
  sarif: toSarif(report),
  html: toHtml(report),
  markdown: toMarkdown(report),
  badge: toBadge(report),
  text: toText(report, { all: true })
}

t.test('each format is valid, has no credential, and takes no markup from texts', async (t) => {
  validReport(t, formats)
  t.ok(report.checks.some(({ exchanges }) => exchanges.length > 0))
  for (const [name, text] of Object.entries(formats)) t.notOk(text.includes(token) || text.includes(token.slice(8)), name)
  t.match(formats.junit, /^<\?xml[^>]*>\n<testsuites [^>]*failures="3"/)
  t.equal(formats.junit.split('<failure ').length - 1, 3)
  t.equal(formats.junit.split('<testcase ').length - 1, report.checks.length)
  t.strictSame(sarifIds(formats.sarif), FAILED)
  t.match(formats.html, '&lt;img src=x')
  t.notMatch(formats.html + formats.markdown, /[\u0000\u001b]/) // eslint-disable-line no-control-regex
  // What stands in code is no markup.
  const prose = formats.markdown.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
  t.notMatch(prose, /!\[x\]\(|<img|\u202e/)
  t.match(formats.badge, 'mcp grade: 3 failed')
  t.equal(failuresFor(report, 'never').length, 0)
})

t.test('a baseline', async (t) => {
  const dir = t.testdir({ 'known.json': JSON.stringify({ failures: ['id-other', 'reply-stream', 'sampling'] }), 'report.json': formats.json, 'other.json': '{}' })
  const known = applyBaseline(report, await readBaseline(join(dir, 'known.json')))
  const left = ['baseline/reply-stream', 'get-refused', 'redirect-other-origin']
  t.strictSame(failuresFor(known, 'must').map(({ id }) => id).sort(), left)
  t.equal(known.summary.known, 1)
  t.match(known.notes.at(-1), /sampling/)
  t.strictSame(failuresFor(applyBaseline(report, await readBaseline(join(dir, 'report.json'))), 'must'), [], 'an earlier report is one')
  t.strictSame(sarifIds(toSarif(known)), left, 'a known failure is no alert')
  await t.rejects(readBaseline(join(dir, 'other.json')), /is not one/)
})

t.test('an earlier run', async (t) => {
  const dir = t.testdir({ 'report.json': formats.json, 'other.json': '{}' })
  const earlier = await readEarlierRun(join(dir, 'report.json'))
  t.strictSame(differencesFrom(earlier, report.checks), ['Each check has the status that it had in the earlier run.'])
  const statuses: Record<string, Check['status']> = { 'id-other': 'passed', 'reply-stream': 'failed' }
  const changed = report.checks.filter(({ id }) => id !== 'sampling')
    .map((check): Check => ({ ...check, status: statuses[check.id] ?? check.status }))
  t.strictSame(differencesFrom(earlier, [...changed, { ...report.checks[0]!, id: 'novel' }]), [
    'Since the earlier run: now failing: reply-stream.',
    'Since the earlier run: now passing: id-other.',
    'Since the earlier run: new: novel.',
    'Since the earlier run: gone: sampling.'
  ])
  await t.rejects(readEarlierRun(join(dir, 'other.json')), /is no report/)
  await t.rejects(readEarlierRun(join(dir, 'nowhere.json')), /^There is no file .*nowhere\.json \(--compare\)\./)
})

t.test('what --fail-on leaves out fails in no format', async (t) => {
  const lenient: Report = { ...report, fail_on: 'must', checks: report.checks.map((check) => ({ ...check, level: 'SHOULD' })) }
  t.equal(failuresFor(lenient).length, 0)
  t.match(toJunit(lenient), /^[^\n]*\n<testsuites [^>]*failures="0"[^]*<skipped message="accepts it, which --fail-on leaves out/)
  t.match(toMarkdown(lenient), /^# MCP grade: passed/)
  t.match(toMarkdown({ ...lenient, fail_on: 'should' }), /^# MCP grade: failed/)
  t.match(toJunit({ ...lenient, fail_on: 'should' }), /^[^\n]*\n<testsuites [^>]*failures="3"/)
})
