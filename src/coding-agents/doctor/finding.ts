/** What one check found, and what mends it. */

export interface Finding {
  status: 'passed' | 'warning' | 'failed' | 'skipped'
  /** What was seen; for a check that was skipped, why. */
  detail: string
  remedy?: string
}

export interface Check extends Finding { name: string }

export const passed = (detail: string): Finding => ({ status: 'passed', detail })
export const skipped = (detail: string): Finding => ({ status: 'skipped', detail })
export const warning = (detail: string, remedy: string): Finding => ({ status: 'warning', detail, remedy })
export const failed = (detail: string, remedy: string): Finding => ({ status: 'failed', detail, remedy })
