/** The filters of the `audit` command as fields, and as the query of the operation. */
import type { ComponentChildren } from 'preact'
import { Filters } from '../../components/search-field.js'
import { DateField, Select, TextField, WorkspaceSelect } from '../../components/fields.js'
import { ACTIONS } from './audit-words.js'

export type AuditFilterName = 'action' | 'outcome' | 'user' | 'credential' | 'workspace' | 'since' | 'until'

export const FILTERS: readonly AuditFilterName[] = [
  'action', 'outcome', 'user', 'credential', 'workspace', 'since', 'until'
]

const OUTCOMES = [
  { value: '', label: 'Any outcome' },
  { value: 'ok', label: 'OK' },
  { value: 'error', label: 'Error' },
  { value: 'unauthorized', label: 'Unauthorized' },
  { value: 'forbidden', label: 'Forbidden' },
  { value: 'not_found', label: 'Not found' },
  { value: 'rate_limited', label: 'Rate limited' },
  { value: 'invalid_input', label: 'Invalid input' }
]

interface AuditFiltersProps {
  values: Readonly<Record<AuditFilterName, string>>
  onChange: (changes: Partial<Record<AuditFilterName, string>>) => void
  /** Whether other people's rows can be asked for; true while no one knows it. */
  admin: boolean
  children?: ComponentChildren
}

export const AuditFilters = ({ values, onChange, admin, children }: AuditFiltersProps) => {
  return (
    <Filters>
      <Select label='Action' value={values.action} onChange={(action) => onChange({ action })} options={ACTIONS} />
      <Select label='Outcome' value={values.outcome} onChange={(outcome) => onChange({ outcome })} options={OUTCOMES} />
      {admin && (
        <TextField
          label='Person' placeholder='E-mail' value={values.user} onInput={(user) => onChange({ user })}
          spellcheck={false}
        />
      )}
      <TextField
        label='Credential' placeholder='Name or id' value={values.credential} spellcheck={false}
        onInput={(credential) => onChange({ credential })}
      />
      <WorkspaceSelect
        which={{ archived: 'include', others: 'include' }} value={values.workspace}
        onChange={(workspace) => onChange({ workspace })}
      />
      <DateField label='From' value={values.since.slice(0, 10)} onInput={(since) => onChange({ since })} />
      <DateField label='To' value={values.until.slice(0, 10)} onInput={(until) => onChange({ until })} />
      {children}
    </Filters>
  )
}

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/

/** Midnight of a day (`YYYY-MM-DD`) where the person is, `days` later, as RFC 3339; other values stay as they are. */
const startOfDay = (value: string, days = 0): string => {
  if (!DATE.test(value)) return value
  const date = new Date(`${value}T00:00:00`)
  return Number.isNaN(date.getTime()) ? value : new Date(date.getTime() + days * DAY_MS).toISOString()
}

/** Returns the filters that are set; a day as `until` includes that day. */
export const auditQuery = (
  values: Readonly<Record<AuditFilterName, string>>
): Partial<Record<AuditFilterName, string>> => {
  const { since, until, ...others } = values
  return {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== '')),
    ...since !== '' && { since: startOfDay(since) },
    ...until !== '' && { until: startOfDay(until, 1) }
  }
}
