/** What one check found, and what mends it. */

export interface CheckResult {
  status: 'passed' | 'warning' | 'failed' | 'skipped'
  /** What was seen; for a check that was skipped, why. */
  detail: string
  remedy?: string
}

export interface NamedCheck extends CheckResult { name: string }

export const passed = (detail: string): CheckResult => ({ status: 'passed', detail })
export const skipped = (detail: string): CheckResult => ({ status: 'skipped', detail })
export const warning = (detail: string, remedy: string): CheckResult => ({ status: 'warning', detail, remedy })
export const failed = (detail: string, remedy: string): CheckResult => ({ status: 'failed', detail, remedy })
