// Reports in every format: valid by the schema of each, without secrets, and with hostile texts made harmless.
import { join } from 'node:path'
import t from 'tap'
import { validator } from '../../src/lib/schema/validator.js'
import { grade } from '../../src/client-testing/grade/grade.js'
import { PROFILES } from '../../src/client-testing/profiles/all-profiles.js'
import {
  differencesFrom, readEarlierRun, applyBaseline, readBaseline
} from '../../src/client-testing/reports/baseline.js'
import { toBadge } from '../../src/client-testing/reports/badge.js'
import { toHtml } from '../../src/client-testing/reports/html.js'
import { toJson } from '../../src/client-testing/reports/write-reports.js'
import { toJunit } from '../../src/client-testing/reports/junit.js'
import { toMarkdown } from '../../src/client-testing/reports/markdown.js'
import { createReport, failuresFor, type Check, type Report } from '../../src/client-testing/reports/report.js'
import { toSarif } from '../../src/client-testing/reports/sarif.js'
import { toText } from '../../src/client-testing/reports/text.js'
import { startTestServer, createTestToken } from '../../src/client-testing/test-server.js'
import schema from '#schemas/report.json' with { type: 'json' }
import { runClient } from './client/work.js'
import { parseXml, validateJunit } from './junit-schema.js'
import { hasXmllint, validateByXsd } from './report-files.js'
import { SARIF } from './sarif-schema.js'

const token = createTestToken()
const HOSTILE = '</script><img src=x onerror=alert(1)>]]>&\u0000\u001b[31m\ud800 | `code` ![x](http://evil.example/) \u202e'

const gradeSome = async (): Promise<Report> => {
  const server = await startTestServer(token)
  const startedAt = Date.now()
  try {
    const checks = await grade({
      server,
      token,
      requireSuccess: true,
      profiles: PROFILES.filter(({ id }) => ['id-other', 'reply-stream', 'get-refused', 'redirect-other-origin', 'sampling'].includes(id)),
      reproduce: (profile) => `npx exploration-mcp grade --profile ${profile?.id} -- ./client ${HOSTILE}`,
      client: { run: (url) => runClient({ url, token, era: 'legacy', defects: ['anyId', 'needsStream', 'followsWithCredential'] }) }
    })
    return createReport({ command: 'grade', subject: `./client ${HOSTILE}`, startedAt, checks: checks.map(poisoned), notes: [HOSTILE] })
  } finally {
    await server.close()
  }
}

/** Texts that a client or a server chose. */
const poisoned = (check: Check): Check => check.status === 'failed' ? { ...check, detail: `${check.detail} ${HOSTILE}`, group: `${check.group} ${HOSTILE}` } : check

t.test('formats', async (t) => {
  const report = await gradeSome()
  t.match(report.checks.filter(({ status }) => status === 'failed').map(({ id }) => id).sort(), ['get-refused', 'id-other', 'redirect-other-origin'])
  const formats = {
    json: toJson(report),
    junit: toJunit(report),
    sarif: toSarif(report),
    html: toHtml(report),
    markdown: toMarkdown(report),
    badge: toBadge(report),
    text: toText(report, { all: true })
  }

  await t.test('no format has the credential of the client', async (t) => {
    t.ok(report.checks.some(({ exchanges }) => exchanges.length > 0))
    for (const [name, text] of Object.entries(formats)) t.notOk(text.includes(token) || text.includes(token.slice(8)), name)
  })

  await t.test('JSON fits its published schema', async (t) => {
    t.strictSame(validator<Report>(schema, { all: true })(JSON.parse(formats.json)), { ok: true, value: JSON.parse(formats.json) })
    t.notOk(validator(schema)({ ...JSON.parse(formats.json), version: 2 }).ok, 'and another version does not')
  })

  await t.test('JUnit is valid, and counts what it has', async (t) => {
    const root = parseXml(formats.junit)
    t.strictSame(validateJunit(root), [])
    const cases = root.children.flatMap(({ children }) => children)
    t.equal(cases.length, report.checks.length)
    t.equal(cases.filter(({ children }) => children.some(({ name }) => name === 'failure')).length, 3)
    t.equal(root.attributes['failures'], '3')
    t.ok(validateJunit(parseXml('<testsuites><testsuite name="x"><testcase id="1"/></testsuite></testsuites>')).length >= 5, 'the check finds faults')
  })

  await t.test('JUnit is valid by the XSD', { skip: hasXmllint() ? false : 'there is no xmllint here (Debian: libxml2-utils)' }, async (t) => {
    t.strictSame(validateByXsd(formats.junit), { status: 0, stderr: '- validates\n' })
    t.strictSame(validateByXsd(toJunit({ ...report, checks: [] })), { status: 0, stderr: '- validates\n' }, 'without a check')
    for (const [text, fault] of [
      ['<failure ', '<fault '], [' name="', ' title="'], ['<testsuite ', '<testsuite unknown="1" '], ['time="', 'time="soon '], ['</testsuites>', '']
    ] as const) {
      t.not(validateByXsd(formats.junit.replaceAll(text, fault)).status, 0, `the check finds ${text} → ${fault}`)
    }
  })

  await t.test('SARIF is valid', async (t) => {
    const sarif = JSON.parse(formats.sarif)
    t.strictSame(validator(SARIF, { all: true })(structuredClone(sarif)), { ok: true, value: sarif })
    t.notOk(validator(SARIF)({ version: '2.1.0', runs: [{}] }).ok, 'the check finds faults')
    const { results, tool } = sarif.runs[0]
    t.strictSame(results.map(({ ruleId }: { ruleId: string }) => ruleId).sort(), ['get-refused', 'id-other', 'redirect-other-origin'], 'failures and nothing else')
    t.ok(results.every(({ kind }: { kind: string }) => kind === 'fail'))
    t.ok(results.every(({ ruleId, ruleIndex }: { ruleId: string, ruleIndex: number }) => tool.driver.rules[ruleIndex].id === ruleId))
  })

  await t.test('HTML is one page without scripts, and takes no markup from texts', async (t) => {
    t.notMatch(formats.html, /<script|<img|<[^>]+\s(?:src|on\w+)=|@import|url\(/i)
    t.match(formats.html, '&lt;img src=x')
    t.notMatch(formats.html, /[\u0000\u001b]/) // eslint-disable-line no-control-regex
  })

  await t.test('markdown takes no markup from texts', async (t) => {
    // What stands in code is no markup.
    const prose = formats.markdown.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
    t.notMatch(prose, /!\[x\]\(|<img/)
    t.notMatch(formats.markdown, /[\u0000\u001b\u202e]/) // eslint-disable-line no-control-regex
    t.ok(formats.markdown.length < 1024 * 1024)
  })

  await t.test('the badge is SVG', async (t) => {
    t.equal(parseXml(formats.badge).name, 'svg')
    t.match(formats.badge, 'mcp grade: 3 failed')
  })

  await t.test('a baseline', async (t) => {
    const dir = t.testdir({ 'known.json': JSON.stringify({ failures: ['id-other', 'reply-stream', 'sampling'] }), 'report.json': formats.json, 'other.json': '{}' })
    const known = applyBaseline(report, await readBaseline(join(dir, 'known.json')))
    t.strictSame(failuresFor(known, 'must').map(({ id }) => id).sort(), ['baseline/reply-stream', 'get-refused', 'redirect-other-origin'])
    t.equal(known.summary.known, 1)
    t.match(known.notes.at(-1), /sampling/)
    t.strictSame(failuresFor(applyBaseline(report, await readBaseline(join(dir, 'report.json'))), 'must'), [], 'an earlier report is one')
    t.strictSame(JSON.parse(toSarif(known)).runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId).sort(), ['baseline/reply-stream', 'get-refused', 'redirect-other-origin'], 'a known failure is no alert')
    await t.rejects(readBaseline(join(dir, 'other.json')), /is not one/)
    await t.rejects(readBaseline(join(dir, 'nowhere.json')), /^There is no file .*nowhere\.json \(--baseline\)\./)
  })

  await t.test('an earlier run', async (t) => {
    const dir = t.testdir({ 'report.json': formats.json, 'other.json': '{}' })
    const earlier = await readEarlierRun(join(dir, 'report.json'))
    t.strictSame(differencesFrom(earlier, report.checks), ['Each check has the status that it had in the earlier run.'])
    const changed = report.checks.filter(({ id }) => id !== 'sampling').map((check): Check => check.id === 'id-other'
      ? { ...check, status: 'passed' }
      : check.id === 'reply-stream' ? { ...check, status: 'failed' } : check)
    t.strictSame(differencesFrom(earlier, [...changed, { ...report.checks[0]!, id: 'novel' }]), [
      'Since the earlier run: now failing: reply-stream.',
      'Since the earlier run: now passing: id-other.',
      'Since the earlier run: new: novel.',
      'Since the earlier run: gone: sampling.'
    ])
    await t.rejects(readEarlierRun(join(dir, 'other.json')), /is no report/)
    await t.rejects(readEarlierRun(join(dir, 'nowhere.json')), /^There is no file .*nowhere\.json \(--compare\)\./)
  })

  await t.test('what --fail-on leaves out fails in no format', async (t) => {
    const lenient: Report = { ...report, fail_on: 'must', checks: report.checks.map((check) => ({ ...check, level: 'SHOULD' })) }
    t.equal(failuresFor(lenient).length, 0)
    const junit = parseXml(toJunit(lenient))
    t.strictSame(validateJunit(junit), [])
    t.equal(junit.attributes['failures'], '0')
    t.match(toJunit(lenient), /<skipped message="accepts it, which --fail-on leaves out/)
    t.match(toMarkdown(lenient), /^# MCP grade: passed/)
    t.match(toMarkdown({ ...lenient, fail_on: 'should' }), /^# MCP grade: failed/)
    t.equal(parseXml(toJunit({ ...lenient, fail_on: 'should' })).attributes['failures'], '3')
  })

  t.equal(failuresFor(report, 'never').length, 0)
})
