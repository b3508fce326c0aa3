/** Brings the words that search reads up to date with the texts that changed. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Database } from './database.js'
import { wordsOf } from './words-of.js'

// The embedded database holds the process for as long as a batch takes.
const BATCH = 16
// Characters that are read of each kind of text.
const READ = 200_000

interface Due { id: string, title: string, about: string, questions: string, packages: string }

const TAKE = `
  select e.id, e.title,
    left(concat_ws(' ', e.tags::text, (select string_agg(s ->> 'text', ' ') from jsonb_array_elements(e.summaries) s)), ${READ}) as about,
    left(coalesce((select string_agg(concat_ws(' ', q ->> 'question', q ->> 'answer'), ' ') from jsonb_array_elements(e.questions) q), ''), ${READ}) as questions,
    left(coalesce((select string_agg(concat_ws(' ', p.title, p.markdown), ' ') from requirement_packages p where p.exploration_id = e.id), ''), ${READ}) as packages
  from (
    select exploration_id from search_queue where words order by exploration_id limit ${BATCH} for update skip locked
  ) due join explorations e on e.id = due.exploration_id`

const WRITE = `
  with made as (
    select * from unnest($1::uuid[], $2::text[]) as made (id, words)
  ), written as (
    insert into search_documents (exploration_id, workspace_id, document)
    select e.id, e.workspace_id, made.words::tsvector from made join explorations e on e.id = made.id
    on conflict (exploration_id) do update set workspace_id = excluded.workspace_id, document = excluded.document
  ), done as (
    update search_queue q set words = false from made where q.exploration_id = made.id and q.meaning
  )
  delete from search_queue q using made where q.exploration_id = made.id and not q.meaning`

export type OnWords = (progress: { done: number, total: number }) => void

/** Batch by batch, so that others get their turn and a crash loses nothing. Two processes share the work. */
export const writeWords = async (db: Database, onProgress: OnWords = () => {}): Promise<void> => {
  const [due] = await db.query<{ total: number }>('select count(*)::int as total from search_queue where words')
  const words = wordsOf()
  let done = 0
  const batch = async (): Promise<number> => await db.transaction(async (tx) => {
    const taken = await tx.query<Due>(TAKE)
    if (taken.length === 0) return 0
    const made = await words(tx, taken.map(({ title, about, questions, packages }) => [['A', title], ['B', about], ['C', questions], ['D', packages]]))
    await tx.query(WRITE, [taken.map(({ id }) => id), made])
    return taken.length
  })
  for (let written = await batch(); written > 0; written = await batch()) {
    done += written
    onProgress({ done, total: Math.max(due?.total ?? 0, done) })
    await turn()
  }
  if (done > 0) await db.query('select take_search_census()')
}
