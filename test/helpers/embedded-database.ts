/**
 * Embedded databases for tests: in memory, migrated, used again by one test after another of this process. Starting one costs half a second
 * of computing, emptying one some milliseconds.
 */
import { openAsBlob } from 'node:fs'
import type { Database, Queryable } from '../../src/db/sql/database.js'
import { openPglite } from './open-pglite.js'
import { hadContent, holds, restore, type Embedded } from './database-content.js'
import { preparedDatabase, type PreparedDatabase } from './prepared-database.js'

// After one of these, also as a part of a script, another test might find another schema. Settings are reset by `restore`, and what every
// server listens to.
export const CHANGES_MORE_THAN_ROWS = /(?:^|;)\s*(?:create|alter|drop|comment|grant|revoke|do\b|vacuum|analyze|reindex|listen (?!access_changes))/i

// Set by scripts/test/run.mjs. A file that runs by itself gets its databases closed with each test.
const SHARED_PROCESS = process.env['TEST_WORKER'] !== undefined

const idle: Embedded[] = []
let prepared: Promise<PreparedDatabase> | undefined

/** A migrated database; with the sample data, or without. `close` makes it available to the next test. */
export const leaseEmbedded = async (content: 'migrated' | 'sample'): Promise<Database> => {
  prepared ??= preparedDatabase()
  const { image, ...contents } = await prepared
  const same = idle.findIndex((embedded) => hadContent(embedded, contents[content]))
  const [used] = idle.splice(same, 1)
  const embedded = used ?? await openPglite(undefined, await openAsBlob(image))
  if (!used) await holds(embedded, contents.sample)
  if (used || content === 'migrated') await restore(embedded, contents[content])
  return lease(embedded)
}

/** A database without a schema, of the caller's own: four times as quick as `openPglite()`, which makes one. */
export const openEmptyEmbedded = async (): Promise<Embedded> => {
  prepared ??= preparedDatabase()
  const { empty } = await prepared
  return await openPglite(undefined, await openAsBlob(empty))
}

// After the last file: an open database keeps its process alive.
process.once('disconnect', () => {
  for (const embedded of idle.splice(0)) embedded.close().catch((error: unknown) => { throw error })
})

const lease = (embedded: Embedded): Database => {
  let open = true
  let reusable = true
  const guard = ({ query }: Queryable): Queryable['query'] => async (text, values, options) => {
    options?.signal?.throwIfAborted()
    if (!open) throw new Error('the database is closed')
    if (CHANGES_MORE_THAN_ROWS.test(text)) reusable = false
    return await query(text, values, options)
  }
  return {
    query: guard(embedded),
    transaction: async (work) => {
      if (!open) throw new Error('the database is closed')
      return await embedded.transaction((tx) => work({ query: guard(tx) }))
    },
    script: async (text) => {
      if (CHANGES_MORE_THAN_ROWS.test(text)) reusable = false
      await embedded.script(text)
    },
    exclusively: embedded.exclusively,
    onNotification: (listener) => embedded.onNotification?.(listener),
    async close () {
      if (!open) return
      open = false
      // What still runs comes to its end first.
      await embedded.query('select 1')
      if (reusable && SHARED_PROCESS) idle.push(embedded)
      else await embedded.close()
    }
  }
}
