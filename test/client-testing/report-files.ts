/** Has a command write every format of its report, and looks whether each is valid. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import schema from '#schemas/report.json' with { type: 'json' }
import { validator } from '../../src/lib/schema/validator.js'
import type { Report } from '../../src/client-testing/reports/report.js'
import { ROOT } from '../helpers/root.js'

export const FORMATS = ['junit', 'sarif', 'html', 'json', 'markdown', 'badge'] as const
type Texts = Record<typeof FORMATS[number], string>

const XSD = ['--schema', join(ROOT, 'test/client-testing/junit.xsd')]
/** Checked by Debian's libxml2-utils, where they are. */
const isXml = (input: string, words: readonly string[] = []): boolean =>
  [0, null].includes(spawnSync('xmllint', ['--noout', '--nonet', ...words, '-'], { input }).status)

export const sarifIds = (sarif: string): string[] =>
  JSON.parse(sarif).runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId).sort()

/** Each format is valid, and takes no markup from texts. Returns the JSON. */
export const validReport = (t: Test, { json, junit, sarif, html, markdown, badge }: Texts): Report => {
  const report = JSON.parse(json) as Report
  const valid = validator(schema, 'every')(structuredClone(report))
  t.strictSame(valid, { ok: true, value: report }, 'JSON fits the published schema')
  t.ok(isXml(junit, XSD) && isXml(badge), 'JUnit is valid by the XSD, the badge is XML')
  t.match(badge, /^<svg /)
  t.match(JSON.parse(sarif), { version: '2.1.0', runs: [{ tool: { driver: { name: String, version: String, rules: Array } } }] }, 'SARIF')
  for (const result of JSON.parse(sarif).runs[0].results) {
    t.match(result, { ruleId: String, ruleIndex: Number, kind: 'fail', level: /^(?:error|warning)$/, message: { text: String }, locations: [Object] })
  }
  const failed = report.checks.filter(({ status, known }) => status === 'failed' && !known).map(({ id }) => id)
  t.strictSame([...new Set(sarifIds(sarif))], [...new Set(failed)].sort(), 'SARIF has the failures and nothing else')
  t.notMatch(html, /<script|<img|<[^>]+\s(?:src|on\w+)=|@import|url\(/i, 'HTML')
  t.match(markdown, /^# MCP /)
  return report
}

/** Options that write every format into a folder, and what reads the JSON when all are valid. */
export const everyFormat = (dir: string) => ({
  words: FORMATS.flatMap((format) => ['--report', `${format}=${join(dir, `report.${format}`)}`]),
  read: (t: Test): Report => validReport(t, Object.fromEntries(
    FORMATS.map((format) => [format, readFileSync(join(dir, `report.${format}`), 'utf8')])) as Texts)
})

export const baseline = (dir: string, failures: string[]): string => {
  const file = join(dir, 'baseline.json')
  writeFileSync(file, JSON.stringify({ failures }))
  return file
}
