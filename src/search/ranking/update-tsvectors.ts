/** Updates the tsvectors of changed texts, which the search by words reads. */
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { sqlTruncate } from '../../db/sql/sql-truncate.js'
import type { Database, Queryable } from '../../db/sql/database.js'

// The embedded database blocks other statements while a batch is written.
const BATCH = 4
// How often, and for how long, to wait for explorations that another process is working on.
const MAX_LOOKS = 100
const HELD_MS = 20

const TAKE = `
  select exploration_id as id from search_queue where words order by exploration_id limit ${BATCH}
  for update skip locked`

// A separate statement sees all changes before the rows were taken; later changes are queued again.
const WRITE = `
  with written as (
    insert into search_documents (exploration_id, workspace_id, document)
    select id, workspace_id,
      search_document(title, ${sqlTruncate('about')}, ${sqlTruncate('questions')}, ${sqlTruncate('packages')})
    from (
      select e.id, e.workspace_id, e.title,
        concat_ws(' ', e.tags::text,
          (select string_agg(s ->> 'text', ' ') from jsonb_array_elements(e.summaries) s)) as about,
        coalesce((select string_agg(concat_ws(' ', q ->> 'question', q ->> 'answer'), ' ')
          from jsonb_array_elements(e.questions) q), '') as questions,
        coalesce((select string_agg(concat_ws(' ', p.title, p.markdown), ' ' order by p.artifact_type)
          from requirement_packages p where p.exploration_id = e.id), '') as packages
      from explorations e where e.id = any($1::uuid[]) offset 0
    ) texts
    on conflict (exploration_id) do update set workspace_id = excluded.workspace_id, document = excluded.document
  )
  update search_queue set words = false where exploration_id = any($1::uuid[])`

export type OnTsvectorProgress = (progress: { done: number, total: number }) => void

export const writeTsvectors = async (tx: Queryable, explorations: readonly string[]): Promise<void> => {
  await tx.query(WRITE, [explorations])
}

/** Works batch by batch, so that a crash loses nothing. Several processes share the work. */
export const updateTsvectors = async (db: Database, onProgress: OnTsvectorProgress = () => {}): Promise<void> => {
  const [due] = await db.query<{ total: number }>('select count(*)::int as total from search_queue where words')
  let done = 0
  const batch = async (): Promise<number> => await db.transaction(async (tx) => {
    const claimed = await tx.query<{ id: string }>(TAKE)
    if (claimed.length === 0) return 0
    await writeTsvectors(tx, claimed.map(({ id }) => id))
    return claimed.length
  })
  for (let looks = 0; looks < MAX_LOOKS;) {
    const updated = await batch()
    if (updated > 0) {
      done += updated
      onProgress({ done, total: Math.max(due?.total ?? 0, done) })
      await turn()
    } else {
      const [left] = await db.query('select from search_queue where words order by exploration_id limit 1')
      if (!left) break
      looks++
      await pause(HELD_MS)
    }
  }
  if (done > 0) await db.query('select tidy_search_words()')
}
