/** The database port: Postgres' language over whatever carries it (PGlite in this process, or a pool of connections). */

export type Row = Record<string, unknown>

export interface Queryable {
  /** Runs one statement; values are `$1`, `$2`, … Rejects with the signal's reason when it is aborted first. */
  query<R = Row> (
    text: string, values?: readonly unknown[], options?: { signal?: AbortSignal | undefined }
  ): Promise<R[]>
}

export interface Connections { inUse: number, idle: number, waiting: number }

export interface Database extends Queryable {
  /** What its connections do; `waiting` is work that waits for one. Absent where the database is in this process. */
  connections? (): Connections
  /**
   * Opens connections before they are needed, because opening one takes as long as many statements. Opens fewer where
   * the database has no room. Absent where the database is in this process.
   */
  openConnections? (): Promise<void>
  /** All or nothing: commits what `work` did when it resolves, undoes it when it rejects. */
  transaction<T> (work: (tx: Queryable) => Promise<T>): Promise<T>
  /** Runs a script of several statements, outside a transaction of its own. */
  script (text: string): Promise<void>
  /** Runs work that only one process at a time may do on this database. */
  exclusively<T> (work: () => Promise<T>): Promise<T>
  close (): Promise<void>
}
