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

/** The mark before a check. */
export const MARKS: Readonly<Record<CheckStatus, string>> = { passed: '✓', failed: '✗', 'not-exercised': '·' }

export interface Check {
  /** A rule, a profile, a scenario or a request: the same in each report. */
  id: string
  /** What the check belongs to, such as `clauses`, or the name of a client. */
  group: string
  title: string
  level: 'MUST' | 'SHOULD'
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

export interface Report {
  format: typeof REPORT_FORMAT
  version: 1
  tool: { name: string; version: string }
  command: 'grade' | 'replay' | 'conformance' | 'observe' | 'doctor'
  /** What was examined: a command line or an address, without secrets. */
  subject: string
  started_at: string
  duration_ms: number
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

export interface ReportParts extends Pick<Report, 'command' | 'subject' | 'checks'> {
  /** Milliseconds since the epoch. */
  startedAt: number
  notes?: readonly string[]
}

/** Creates a report and counts its checks. */
export const createReport = ({ command, subject, checks, startedAt, notes = [] }: ReportParts): Report => ({
  format: REPORT_FORMAT,
  version: 1,
  tool: { name: SERVER.name, version: SERVER.version },
  command,
  subject,
  started_at: new Date(startedAt).toISOString(),
  duration_ms: Math.max(0, Math.round(Date.now() - startedAt)),
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

/** Returns the failures that decide the exit code. */
export const failuresFor = ({ checks }: Pick<Report, 'checks'>, failOn: FailOn): Check[] =>
  failOn === 'never'
    ? []
    : checks.filter(
      ({ status, level, known }) => status === 'failed' && known !== true && (failOn === 'should' || level === 'MUST')
    )
