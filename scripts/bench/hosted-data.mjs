// The database of the hosted bench: explorations that a build imported, many more that SQL combines of two of them each, and the keys of people.
import { createKeys, runCommand } from './builds.mjs'
import { withClient } from './databases.mjs'
import { idOf, importFileOf, readerOf, recombined, workspacesOf } from './explorations.mjs'

export const WORKSPACES = Array.from({ length: 50 }, (_, n) => idOf('a', n))
const IMPORTED = 2000
const PEOPLE = 16

// A combined exploration has the texts and words of both, and a vector between theirs, nearer to the first.
const COMBINE = `
  create temporary table combined as
  with imported as (
    select row_number() over (order by e.id) as n, e.*, d.document, v.embedder, v.embedding
    from explorations e
    join search_documents d on d.exploration_id = e.id
    join exploration_vectors v on v.exploration_id = e.id and v.chunk = 0 and v.embedding is not null
  ), pairs as (
    select k, 1 + k % $1 as one, 1 + floor(random() * $1)::int as other from generate_series(1, $2::int) k
  )
  select ('d0000000-0000-4000-8000-' || lpad(k::text, 12, '0'))::uuid as id,
    ('a0000000-0000-4000-8000-' || lpad((k % ${WORKSPACES.length})::text, 12, '0'))::uuid as workspace_id,
    one.title || ', ' || left(other.title, 40) as title, one.status, one.tags, 'https://planning.example.com/combined/' || k as url,
    one.summaries || other.summaries as summaries, one.questions, one.created_at, one.updated_at,
    one.document || other.document as document, one.embedder, l2_normalize(one.embedding + one.embedding + other.embedding) as embedding
  from pairs join imported one on one.n = pairs.one join imported other on other.n = pairs.other`
const INSERTS = `
  insert into explorations (id, workspace_id, title, status, tags, url, summaries, questions, created_at, updated_at)
    select id, workspace_id, title, status, tags, url, summaries, questions, created_at, updated_at from combined;
  insert into search_documents (exploration_id, workspace_id, document) select id, workspace_id, document from combined;
  insert into exploration_vectors (embedder, exploration_id, chunk, workspace_id, embedding)
    select embedder, id, 0, workspace_id, embedding from combined;`

/** Adds combined explorations until there are `count`; the index of vectors is made again afterwards, which is quicker. */
const combine = (url, count) => withClient(url, async (client) => {
  const { rows: [{ id }] } = await client.query('select id from embedders order by adopted_at desc limit 1')
  await client.query("set statement_timeout = 0; set maintenance_work_mem = '512MB'; select setseed(0.7)")
  await client.query(`drop index if exists exploration_vectors_${id}; alter table explorations disable trigger user`)
  await client.query(COMBINE, [IMPORTED, count - IMPORTED])
  await client.query(INSERTS)
  await client.query(`alter table explorations enable trigger user; select index_vectors(${id}::smallint)`)
  await client.query('select take_search_census()')
  await client.query('vacuum analyze')
})

/**
 * Fills an empty database; gives the keys of people who see one workspace each, and of people who see all.
 * @param {string} url
 * @param {{ explorations: object[], count: number }} data what to make them of, and how many
 */
export const fillDatabase = async (build, url, { explorations, count }) => {
  const env = { DATABASE_URL: url }
  const [ofOne, ofAll] = ['b', 'c'].map((kind) => Array.from({ length: PEOPLE }, (_, n) => idOf(kind, n)))
  const file = importFileOf([
    ...workspacesOf(WORKSPACES),
    ...ofOne.flatMap((id, n) => readerOf(id, [WORKSPACES[n]])),
    ...ofAll.flatMap((id) => readerOf(id, WORKSPACES)),
    ...recombined(explorations, IMPORTED, (n) => WORKSPACES[n % WORKSPACES.length])
  ])
  await runCommand(build, ['migrate'], env)
  await runCommand(build, ['import', file], env)
  if (count > IMPORTED) await combine(url, count)
  return { ofOne: await createKeys(build, env, ofOne), ofAll: await createKeys(build, env, ofAll) }
}

/** Of so many explorations the id, and a vector that is near to that of others but equal to none. */
export const samplesIn = (url, count) => withClient(url, async (client) => (await client.query(`
  select e.exploration_id as id, l2_normalize(e.embedding + lead(e.embedding, 1, e.embedding) over ())::text as vector
  from (select * from exploration_vectors where chunk = 0 and embedding is not null order by md5(exploration_id::text) limit $1) e`,
[count])).rows)
