/** What a form is: the fields that it shows, what they hold at first, and the changes that it makes. */
import type { Answer } from '../api/call.js'
import type { Option } from '../components/fields.js'
import type { PlanRecord } from '../plan/plan-record.js'

/** With who changed it and when, where that is why another's change is refused. */
export type EditedRecord =
  Answer<'GET /explorations/:id/records/:kind/:record'> & { changed_by?: string, changed_at?: string }

/** By the names of the fields; lists as JSON. */
export type Values = Readonly<Record<string, string>>

export interface Field {
  name: string
  label: string
  kind: 'line' | 'text' | 'markdown' | 'select' | 'criteria' | 'checks'
  hint?: string
  required?: boolean
  /** Of `select`, and of `checks`, whose value is those that are ticked. */
  options?: ReadonlyArray<Option<string>>
}

export interface Subject {
  exploration: string
  /** Of the record that is changed, or whatever the form says. */
  id: string
  plan?: PlanRecord | undefined
  /** That the person may write in. */
  workspaces: ReadonlyArray<Option<string>>
}

/** With the fields of the record as they are now. */
export type Started = Subject & { record: EditedRecord['fields'] }
/** `mine`: those of the values that were changed. */
export type Filled = Started & { values: Values, mine: Values }

/** One of `changes` of an operation. */
export interface Change { kind: string, [member: string]: unknown }

export interface Form {
  title: string
  /** The kind of the record that it begins with; absent where it adds something. */
  record?: EditedRecord['kind']
  /** What it is about, in the words of the record. */
  about?: (started: Started) => unknown
  /** What fields hold at first, where it is not nothing. */
  values?: (started: Started) => Values
  fields: (started: Started, values: Values) => readonly Field[]
  changes?: (filled: Filled) => Change[]
  /** Instead of `changes`. Resolves to the address to go to. */
  send?: (filled: Filled) => Promise<string>
}
