/**
 * The ids of requests that replicas sent to clients and that have no response yet. A replica forwards a response to
 * the other replicas only when its id is stored here: otherwise a client could flood the event bus with responses
 * to nothing.
 */

/** The port: ids that all replicas see. */
export interface AskedIds {
  /** Stores an id for `keepMs` milliseconds, visible to all replicas. */
  add (key: string, keepMs: number): Promise<void>
  /** Removes an id. Resolves with true when it was stored, so only the first response to a request is forwarded. */
  take (key: string): Promise<boolean>
}

/** For a server that is one process: it never forwards responses. */
export const noAskedIds: AskedIds = { add: async () => {}, take: async () => false }
