/**
 * Counts the commits that changed what decides about access, on the embedded database: no one else writes to it, and it
 * tells of a commit before it answers who made it. As long as the count is the same, what was read is as it was.
 */
import type { Database } from '../sql/database.js'

/** The channel of the notifications that triggers send (migrations/baseline.sql). */
const CHANNEL = 'access_changes'
const FOLLOW = [`listen ${CHANNEL}`, `select set_config('exploration_mcp.${CHANNEL}', 'on', false)`]

/** Gives the number of such commits so far; undefined before the database tells of them. */
export type AccessChanges = () => number | undefined

/** Following starts with the first call, and nothing waits for it. A PostgreSQL server never has a count. */
export const countAccessChanges = (
  { query, onNotification }: Pick<Database, 'query' | 'onNotification'>
): AccessChanges => {
  let changes = 0
  let following: Promise<void> | undefined
  let follows = false

  const follow = async (listen: NonNullable<Database['onNotification']>): Promise<void> => {
    listen((channel) => { if (channel === CHANNEL) changes++ })
    for (const statement of FOLLOW) await query(statement)
    follows = true
  }

  return () => {
    // A database that cannot be asked cannot answer calls either: these say so.
    if (onNotification) following ??= follow(onNotification).catch(() => {})
    return follows ? changes : undefined
  }
}
