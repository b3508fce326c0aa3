/** The report that all commands share, and the formats are made from. schemas/report.json publishes its shape. */
import { SERVER } from '../../config/server-info.js'
import type { SafeExchange } from '../redact.js'

export interface ReportClause {
  revision: string
  page: string
  anchor: string
  url: string
}

/** In the order in which reports count them. */
export const STATUSES = ['passed', 'failed', 'not-exercised'] as const

export type CheckStatus = typeof STATUSES[number]

/** `robustness`: no text demands it, and clients that lack it break in the field. It counts like a SHOULD. */
export type Level = 'MUST' | 'SHOULD' | 'robustness'

export const STATUS_WORDS: Readonly<Record<CheckStatus, string>> =
  { passed: 'passed', failed: 'failed', 'not-exercised': 'not exercised' }

/** The mark before a check. */
export const MARKS: Readonly<Record<CheckStatus, string>> = { passed: '✓', failed: '✗', 'not-exercised': '·' }

export interface Check {
  /** A rule, a profile, a scenario or a request: the same in each report. */
  id: string
  /** What the check belongs to, such as `clauses`, or the name of a client. */
  group: string
  title: string
  level: Level
  status: CheckStatus
  clauses: ReportClause[]
  /** One or two words, such as `copes` or `hangs`. */
  outcome: string
  detail: string
  exchanges: SafeExchange[]
  /** The command line that shows the same again. */
  reproduce?: string
  /** Set when a baseline lists this failure. */
  known?: true
}

/** Creates a check: of a MUST, without clauses, detail and exchanges unless they are given. */
export const createCheck = (
  given: Pick<Check, 'id' | 'group' | 'title' | 'status' | 'outcome'> & Partial<Check>
): Check => ({ level: 'MUST', clauses: [], detail: '', exchanges: [], ...given })

/** The status and outcome of a rule, by how often it was broken and how often it applied. */
export const ruleVerdict = (broken: number, applied: number): Pick<Check, 'status' | 'outcome'> => {
  if (broken > 0) return { status: 'failed', outcome: 'violated' }
  return applied > 0
    ? { status: 'passed', outcome: 'obeyed' }
    : { status: 'not-exercised', outcome: 'not exercised' }
}

/** The checks by group, in the order in which the groups first occur. */
export const groupsOf = (checks: readonly Check[]): Array<[group: string, own: Check[]]> =>
  [...new Set(checks.map(({ group }) => group))].map((group) => [group, checks.filter((one) => one.group === group)])

export interface Report {
  format: typeof REPORT_FORMAT
  version: 1
  tool: { name: string; version: string }
  command: 'grade' | 'replay' | 'conformance' | 'observe' | 'doctor' | 'surface' | 'audit-auth'
  /** What was examined: a command line or an address, without secrets. */
  subject: string
  started_at: string
  duration_ms: number
  /** Which failures fail the run. */
  fail_on: FailOn
  summary: Record<CheckStatus | 'known', number>
  checks: Check[]
  /** What the report cannot say, or left out. */
  notes: string[]
}

/** Says which program's format a file has. */
export const REPORT_FORMAT = 'exploration-mcp-report'
const SPECIFICATION = 'https://modelcontextprotocol.io/specification'
const SEPS = 'https://modelcontextprotocol.io/seps'

/** Creates a clause from `page#anchor`. */
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

/** Returns how reports name a clause. */
export const clauseName = ({ revision, page, anchor }: ReportClause): string =>
  [revision, page].filter(Boolean).join(' ') + (anchor === '' ? '' : `#${anchor}`)

export interface ReportParts extends Pick<Report, 'command' | 'subject' | 'checks'> {
  /** MUST when absent. */
  failOn?: FailOn | undefined
  /** Milliseconds since the epoch. */
  startedAt: number
  notes?: readonly string[]
}

/** Creates a report and counts its checks. */
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

export type FailOn = 'must' | 'should' | 'never'

/** Returns the failures that decide the exit code: by `fail_on` of the report, unless another level is given. */
export const failuresFor = (
  { checks, fail_on: level }: Pick<Report, 'checks' | 'fail_on'>, failOn: FailOn = level
): Check[] => checks.filter((check) => check.status === 'failed' && check.known !== true &&
  failOn !== 'never' && (failOn === 'should' || check.level === 'MUST'))
