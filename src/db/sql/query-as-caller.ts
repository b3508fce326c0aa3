/** Sends statements in the name of a caller, so that callers take turns at the database. */
import type { Queryable } from './database.js'

/** Returns `db` for the calls of one caller, the id of a credential. */
export const queryAsCaller = (db: Queryable, caller: string): Queryable => ({
  query: (text, values, options) => db.query(text, values, { ...options, caller })
})
