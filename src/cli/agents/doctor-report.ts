/** The checks of `doctor` as a report. */
import type { NamedCheck } from '../../agent-setup/doctor/finding.js'
import { redactUrl } from '../../lib/redact/redact-headers.js'
import { createRedactor } from '../../client-testing/redact.js'
import { createCheck } from '../../client-testing/reports/report.js'
import type { ReportContent } from '../testing/deliver-report.js'

export interface ServerCheck extends NamedCheck {
  /** The URL of the server that it is about. */
  server: string
}

const STATUS = { passed: 'passed', warning: 'failed', failed: 'failed', skipped: 'not-exercised' } as const

/**
 * Returns the report. A warning is a failure of level SHOULD, which does not count for the exit code.
 * `secrets` never appear in it.
 */
export const doctorReport = (checks: readonly ServerCheck[], secrets: readonly string[]): ReportContent => {
  const redactor = createRedactor(secrets)
  const groupOf = (server: string): string => redactor.text(redactUrl(server))
  return {
    command: 'doctor',
    subject: [...new Set(checks.map(({ server }) => groupOf(server)))].join(', ') || 'this machine',
    checks: checks.map(({ name, server, status, detail, remedy }) => createCheck({
      id: redactor.text(name),
      group: groupOf(server),
      title: `The check of ${redactor.text(name)}`,
      level: status === 'warning' ? 'SHOULD' : 'MUST',
      status: STATUS[status],
      outcome: status,
      detail: redactor.text(remedy === undefined ? detail : `${detail}\nRemedy: ${remedy}`)
    }))
  }
}
