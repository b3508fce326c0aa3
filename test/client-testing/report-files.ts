/** Has a command write every format of its report, and looks whether each is valid. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import schema from '#schemas/report.json' with { type: 'json' }
import { validator } from '../../src/lib/schema/validator.js'
import type { Report } from '../../src/client-testing/reports/report.js'
import { ROOT } from '../helpers/root.js'
import { parseXml, validateJunit } from './junit-schema.js'
import { SARIF } from './sarif-schema.js'

export const FORMATS = ['junit', 'sarif', 'html', 'json', 'markdown', 'badge'] as const

const XSD = join(ROOT, 'test/client-testing/junit.xsd')
export const hasXmllint = (): boolean => spawnSync('xmllint', ['--version']).status === 0
export const validateByXsd = (input: string): { status: number | null, stderr: string } => {
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', XSD, '-'], { input, encoding: 'utf8' })
  return { status, stderr }
}

/** Options that write every format into a folder, and what reads the JSON when all are valid. */
export const everyFormat = (dir: string) => ({
  words: FORMATS.flatMap((format) => ['--report', `${format}=${join(dir, `report.${format}`)}`]),
  read: (t: Test): Report => {
    const texts = Object.fromEntries(FORMATS.map((format) => [format, readFileSync(join(dir, `report.${format}`), 'utf8')]))
    for (const format of FORMATS) t.ok((texts[format]?.length ?? 0) > 100, format)
    const { json = '', junit = '', sarif = '', html = '', badge = '' } = texts
    t.strictSame(validator<Report>(schema, { all: true })(JSON.parse(json)), { ok: true, value: JSON.parse(json) }, 'it fits the published schema')
    t.strictSame(validateJunit(parseXml(junit)), [], 'JUnit')
    if (hasXmllint()) t.strictSame(validateByXsd(junit), { status: 0, stderr: '- validates\n' }, 'JUnit by the XSD')
    t.strictSame(validator(SARIF, { all: true })(JSON.parse(sarif)), { ok: true, value: JSON.parse(sarif) }, 'SARIF')
    t.notMatch(html, /<script|<img|<[^>]+\s(?:src|on\w+)=|@import|url\(/i, 'HTML')
    t.match(parseXml(badge).name, 'svg')
    const report = JSON.parse(json) as Report
    const failed = report.checks.filter(({ status, known }) => status === 'failed' && !known).map(({ id }) => id)
    t.strictSame([...new Set(JSON.parse(sarif).runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId))].sort(), [...new Set(failed)].sort(), 'SARIF has the failures')
    return report
  }
})
