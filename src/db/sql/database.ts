/** The database port: PostgreSQL's language over PGlite in this process, or over a pool of connections. */

export type Row = Record<string, unknown>

export interface QueryOptions {
  signal?: AbortSignal | undefined
  /**
   * The id of the credential whose call the statement serves: callers take turns. Absent for a statement that serves
   * several callers or none, which does not wait for a caller's turn.
   */
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
  /**
   * Opens connections before they are needed, because opening one takes as long as many statements. Opens fewer where
   * the database has no room. Absent with the embedded database.
   */
  openConnections? (): Promise<void>
  /** Commits the changes of `work` when it resolves, and rolls them back when it rejects. */
  transaction<T> (work: (tx: Queryable) => Promise<T>): Promise<T>
  /** Runs a script of several statements, without a transaction around it. */
  script (text: string): Promise<void>
  /** Runs work that only one process at a time may do on this database. */
  exclusively<T> (work: () => Promise<T>): Promise<T>
  /**
   * Registers a listener for what committed transactions notify on the channels that this connection listens to. It is
   * called before the statement that committed is answered. Only the embedded database has it.
   */
  onNotification? (listener: (channel: string) => void): void
  /**
   * Resolves with the reason when the embedded database ended by itself, and serves nothing any more; never otherwise.
   * Absent where the database is a server of its own.
   */
  crashed?: Promise<Error>
  close (): Promise<void>
}
