/** What a thread with PGlite answers: once to each call, in their order, and before it what its statement notified. */

/** What `workerData` is. */
export interface PgliteWorkerData { folder?: string | undefined }

export type PgliteCall =
  | { call: 'run', text: string, values: readonly unknown[] }
  | { call: 'exec' | 'script', text: string }
  | { call: 'close' }

/** The first answer comes unasked, when the database is open. */
export type PgliteAnswer = { rows: unknown[] } | { error: PgliteError }

/** The name of a channel. */
export interface PgliteNotification { channel: string }

/** An error as it crosses the threads: cloning it would lose the fields that PostgreSQL gave it. */
export interface PgliteError { message: string, fields: Record<string, string> }

const FIELDS = [
  'name', 'code', 'severity', 'detail', 'hint', 'position', 'where', 'schema', 'table', 'column', 'dataType',
  'constraint'
]

/** Returns what a message can carry of an error: its text, and PostgreSQL's fields of it. */
export const toPgliteError = (error: unknown): PgliteError => {
  if (!(error instanceof Error)) return { message: String(error), fields: {} }
  const fields = Object.entries(Object.getOwnPropertyDescriptors(error)).flatMap(([name, { value }]) =>
    FIELDS.includes(name) && typeof value === 'string' ? [[name, value] as const] : [])
  return { message: error.message, fields: Object.fromEntries(fields) }
}

/** Returns the error of such a message. */
export const fromPgliteError = ({ message, fields }: PgliteError): Error => Object.assign(new Error(message), fields)
