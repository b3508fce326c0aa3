/** The report that all commands share, and the formats are made from: the shape of schemas/report.json. */
import type { FromSchema } from 'json-schema-to-ts'
import type schema from '#schemas/report.json'
import { SERVER } from '../../config/server-info.js'

type Definitions = (typeof schema)['$defs']

export type SafeExchange = FromSchema<Definitions['exchange']>
export type ReportClause = FromSchema<Definitions['clause']>
export type Check = Omit<FromSchema<Definitions['check']>, 'clauses' | 'exchanges'> &
  { clauses: ReportClause[], exchanges: SafeExchange[] }
export type Report = Omit<FromSchema<typeof schema>, 'checks'> & { checks: Check[] }
export type CheckStatus = Check['status']
/** `robustness`: no text demands it, and clients that lack it break in the field. It counts like a SHOULD. */
export type Level = Check['level']
export type FailOn = Report['fail_on']

/** In the order in which reports count them. */
export const STATUSES = ['passed', 'failed', 'not-exercised'] as const

export const STATUS_WORDS: Readonly<Record<CheckStatus, string>> =
  { passed: 'passed', failed: 'failed', 'not-exercised': 'not exercised' }

export const MARKS: Readonly<Record<CheckStatus, string>> = { passed: '✓', failed: '✗', 'not-exercised': '·' }

/** Creates a check: of a MUST, without clauses, detail and exchanges unless they are given. */
export const createCheck = (
  given: Pick<Check, 'id' | 'group' | 'title' | 'status' | 'outcome'> & Partial<Check>
): Check => ({ level: 'MUST', clauses: [], detail: '', exchanges: [], ...given })

export const RULE_OUTCOMES = { passed: 'obeyed', failed: 'violated', 'not-exercised': 'not exercised' } as const

/** The status and outcome of a rule, by how often it was broken and how often it applied. */
export const ruleVerdict = (broken: number, applied: number): Pick<Check, 'status' | 'outcome'> => {
  const status = broken > 0 ? 'failed' : applied > 0 ? 'passed' : 'not-exercised'
  return { status, outcome: RULE_OUTCOMES[status] }
}

/** The checks by group, in the order in which the groups first occur. */
export const groupsOf = (checks: readonly Check[]): Array<[group: string, own: Check[]]> =>
  [...new Set(checks.map(({ group }) => group))].map((group) => [group, checks.filter((one) => one.group === group)])

export const REPORT_FORMAT = 'exploration-mcp-report'
const SPECIFICATION = 'https://modelcontextprotocol.io/specification'
const SEPS = 'https://modelcontextprotocol.io/seps'

export const toClause = (revision: string, pageAndAnchor: string): ReportClause => {
  const [page = '', anchor = ''] = pageAndAnchor.split('#')
  const base = page.startsWith('seps/') ? `${SEPS}/${page.slice(5)}` : `${SPECIFICATION}/${revision}/${page}`
  return { revision, page, anchor, url: anchor === '' ? base : `${base}#${anchor}` }
}

/** Creates the clause of a section of an RFC, such as `9110#section-10.2.3`. */
export const toRfcClause = (section: string): ReportClause => {
  const [number = '', anchor = ''] = section.split('#')
  return { revision: `RFC ${number}`, page: '', anchor, url: `https://www.rfc-editor.org/rfc/rfc${section}` }
}

export const clauseName = ({ revision, page, anchor }: ReportClause): string =>
  [revision, page].filter(Boolean).join(' ') + (anchor === '' ? '' : `#${anchor}`)

export interface ReportParts extends Pick<Report, 'command' | 'subject' | 'checks'> {
  failOn?: FailOn | undefined
  /** Milliseconds since the epoch. */
  startedAt: number
  notes?: readonly string[]
}

export const createReport = (
  { command, subject, checks, startedAt, failOn = 'must', notes = [] }: ReportParts
): Report => ({
  format: REPORT_FORMAT,
  version: 1,
  tool: { name: SERVER.name, version: SERVER.version },
  command,
  subject,
  started_at: new Date(startedAt).toISOString(),
  duration_ms: Math.max(0, Math.round(Date.now() - startedAt)),
  fail_on: failOn,
  summary: summaryOf(checks),
  checks,
  notes: [...notes]
})

/** Counts the checks by status; failures that a baseline lists are counted as `known` only. */
export const summaryOf = (checks: readonly Check[]): Report['summary'] => {
  const count = (status: CheckStatus) =>
    checks.filter((check) => check.status === status && check.known !== true).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    'not-exercised': count('not-exercised'),
    known: checks.filter(({ known }) => known).length
  }
}

/** Returns the failures that decide the exit code: by `fail_on` of the report, unless another level is given. */
export const failuresFor = (
  { checks, fail_on: level }: Pick<Report, 'checks' | 'fail_on'>, failOn: FailOn = level
): Check[] => checks.filter((check) => check.status === 'failed' && check.known !== true &&
  failOn !== 'never' && (failOn === 'should' || check.level === 'MUST'))
