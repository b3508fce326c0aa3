/** The result of one check, with its remedy. */

export interface CheckResult {
  status: 'passed' | 'warning' | 'failed' | 'skipped'
  /** What was found; for a skipped check, why it was skipped. */
  detail: string
  remedy?: string
}

export interface NamedCheck extends CheckResult { name: string }

export const passed = (detail: string): CheckResult => ({ status: 'passed', detail })
export const skipped = (detail: string): CheckResult => ({ status: 'skipped', detail })
export const warning = (detail: string, remedy: string): CheckResult => ({ status: 'warning', detail, remedy })
export const failed = (detail: string, remedy: string): CheckResult => ({ status: 'failed', detail, remedy })
