/** One record as it is, for a form that edits it: raw texts, and the revision that a change of it names. */
import type { ItemState, RecordKind, State } from './records.js'

export interface ShownRecord {
  kind: RecordKind
  id: string
  /** Of an item and an exploration their revision, of a package its version; null for other records. */
  revision: number | null
  fields: State
}

/** What only the server needs. */
const UNSHOWN = new Set(['changed_here', 'position', 'status_before_question', 'questions', 'base', 'credential_id'])

/** Returns the record with the fields that people see. */
export const shownRecord = (kind: RecordKind, id: string, { lease, revision, ...state }: State): ShownRecord => {
  const fields = Object.entries(state).filter(([name, value]) => !UNSHOWN.has(name) && value !== null)
  const number = revision ?? (kind === 'package' ? state['version'] : null)
  return {
    kind,
    id,
    revision: typeof number === 'number' ? number : null,
    fields: { ...Object.fromEntries(fields), ...(lease != null && { claimed_by: claimOf(lease as Lease) }) }
  }
}

type Lease = NonNullable<ItemState['lease']>

const claimOf = ({ user, credential, since, until, lapsed }: Lease): State =>
  ({ user, credential, since, until, lapsed })
