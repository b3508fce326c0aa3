/** The database port: PostgreSQL's language over PGlite in this process, or over a pool of connections. */

export type Row = Record<string, unknown>

export interface QueryOptions {
  signal?: AbortSignal | undefined
  /** The credential whose call the statement serves, as callers take turns; absent for several callers or none. */
  caller?: string | undefined
}

export interface Queryable {
  /** Runs one statement; values are `$1`, `$2`, … Rejects with the signal's reason when it is aborted first. */
  query<R = Row> (text: string, values?: readonly unknown[], options?: QueryOptions): Promise<R[]>
}

export interface ConnectionCounts { inUse: number, idle: number, waiting: number }

export interface Database extends Queryable {
  /** Counts the connections; `waiting` is work that waits for one. Absent with the embedded database. */
  connections? (): ConnectionCounts
  /** Opens connections before they are needed: opening one takes as long as many statements. Absent where embedded. */
  openConnections? (): Promise<void>
  /** Commits the changes of `work` when it resolves, and rolls them back when it rejects. */
  transaction<T> (work: (tx: Queryable) => Promise<T>): Promise<T>
  /** Runs a script of several statements, without a transaction around it. */
  script (text: string): Promise<void>
  /** Runs work that only one process at a time may do on this database. */
  exclusively<T> (work: () => Promise<T>): Promise<T>
  /** Hears what committed transactions notify, before the commit is answered. Only the embedded database has it. */
  onNotification? (listener: (channel: string) => void): void
  /** Resolves with the reason when the embedded database ended by itself. Absent where it is a server of its own. */
  crashed?: Promise<Error>
  close (): Promise<void>
}
