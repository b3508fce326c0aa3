/** Brings the words that search reads up to date with the texts that changed. */
import type { Queryable } from './database.js'

// The embedded database holds the process for as long as a batch takes.
const BATCH = 25

const WRITE = `
  with due as (
    select exploration_id from search_queue where words order by exploration_id limit ${BATCH} for update skip locked
  ), written as (
    insert into search_documents (exploration_id, workspace_id, document)
    select e.id, e.workspace_id, search_document(e.title,
      concat_ws(' ', e.tags::text, (select string_agg(s ->> 'text', ' ') from jsonb_array_elements(e.summaries) s)),
      coalesce((select string_agg(concat_ws(' ', q ->> 'question', q ->> 'answer'), ' ') from jsonb_array_elements(e.questions) q), ''),
      coalesce((select string_agg(concat_ws(' ', p.title, p.markdown), ' ') from requirement_packages p where p.exploration_id = e.id), ''))
    from due join explorations e on e.id = due.exploration_id
    on conflict (exploration_id) do update set workspace_id = excluded.workspace_id, document = excluded.document
  ), done as (
    update search_queue q set words = false from due where q.exploration_id = due.exploration_id and q.meaning
  ), settled as (
    delete from search_queue q using due where q.exploration_id = due.exploration_id and not q.meaning
  )
  select count(*)::int as written from due`

type OnProgress = (progress: { done: number, total: number }) => void

/** Statement by statement, so that others get their turn and a crash loses nothing. Two processes share the work. */
export const writeWords = async (db: Queryable, onProgress: OnProgress = () => {}): Promise<void> => {
  const [due] = await db.query<{ total: number }>('select count(*)::int as total from search_queue where words')
  let done = 0
  for (;;) {
    const [row] = await db.query<{ written: number }>(WRITE)
    if (!row?.written) return
    done += row.written
    onProgress({ done, total: Math.max(due?.total ?? 0, done) })
  }
}
