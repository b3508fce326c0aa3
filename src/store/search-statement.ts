/** The statement that finds: only the branches that a question calls for, each of which reads an index of its own. */
import { SUMMARY } from './explorations.js'

export interface Asked {
  text: string
  /** Ids of workspaces. */
  visible: readonly string[]
  statuses: readonly string[] | null
  /** Score and id of the last one shown. */
  after: readonly [number, string] | undefined
  limit: number
  /** Of the weight of the question's words, what a hit by words alone has to hold. */
  least: number
  /** What the question may be, besides a text: an id, the number of an address, a title, a mistyped one, one with quoted phrases. */
  id: string | undefined
  reference: string | undefined
  title: string | undefined
  mistyped: string | undefined
  phrases: readonly string[]
  meaning: { embedder: number, dimensions: number, vector: string, unrelated: number, related: number } | undefined
}

// Nearest vectors, most explorations by words, and how many of both are looked at closely.
const NEAREST = 100
const BY_WORDS = 100
const CLOSELY = 100
// A word that more explorations hold tells little: it counts only where there is no other.
const MOST_HOLDERS = 3000
// Above this the number of explorations hardly changes what a word weighs.
const COUNTED = 5000

// The expression of the index.
const REFERENCE = "substring(e.url from '/([0-9]{1,9})(?:-[^/]*)?/?$')"

export const findStatement = (asked: Asked): { statement: string, values: unknown[] } => {
  const values: unknown[] = []
  const value = (given: unknown, type: string): string => `$${values.push(given)}::${type}`
  const text = value(asked.text, 'text')
  const visible = `any(${value(asked.visible, 'uuid[]')})`
  // Before anything is cut off, so that what is rare is not lost among the others.
  const statuses = asked.statuses === null ? '' : value(asked.statuses, 'text[]')
  const ofStatus = statuses && `join explorations s on s.id = exploration_id and s.status = any(${statuses})`

  const { meaning } = asked
  const branches = ['select id, coverage, null::float8 as cosine, 0 as named from covered']
  const titled = (condition: string, named: number): string =>
    `select e.id, null, null, ${named} from explorations e where e.workspace_id = ${visible} and ${condition}`
  if (meaning) branches.push(`select id, null, cosine, 0 from (${nearest(meaning, value(meaning.vector, vectorType(meaning)), visible, ofStatus)}) nearest`)
  if (asked.title !== undefined) branches.push(titled(`lower(e.title) = lower(${value(asked.title, 'text')})`, EXACT))
  if (asked.id !== undefined) branches.push(titled(`e.id = ${value(asked.id, 'uuid')}`, EXACT))
  if (asked.reference !== undefined) branches.push(titled(`e.url is not null and ${REFERENCE} = ${value(asked.reference, 'text')}`, REFERRED))
  if (asked.mistyped !== undefined) branches.push(titled(`cardinality((select lexemes from question)) > 0 and ${value(asked.mistyped, 'text')} <% e.title`, ALIKE))

  const unrelated = value(meaning?.unrelated ?? 0, 'float8')
  const related = value(meaning?.related ?? 1, 'float8')
  const score = value(asked.after?.[0] ?? null, 'float8')
  const id = value(asked.after?.[1] ?? null, 'uuid')
  const quoted = asked.phrases.length === 0 ? 'false' : quotes(value(asked.phrases, 'text[]'))

  const statement = `
  with question as materialized (
    select lexemes, (select string_agg(quote_literal(lexeme), ' | ')::tsquery from unnest(lexemes) as lexeme) as query
    from (select tsvector_to_array(to_tsvector('english', ${text})) as lexemes) stems
  ), holding as materialized (
    select lexeme, exploration_id from question q cross join unnest(q.lexemes) as lexeme cross join lateral (
      select d.exploration_id from search_documents d
      where d.document @@ quote_literal(lexeme)::tsquery and d.workspace_id = ${visible} limit ${MOST_HOLDERS + 1}
    ) holder
  ), holders as (
    select lexeme, count(exploration_id) as count from question q cross join unnest(q.lexemes) as lexeme left join holding using (lexeme) group by lexeme
  ), words as materialized (
    select lexeme,
      ln(1 + (select count(*)::float8 from (select from explorations where workspace_id = ${visible} limit ${COUNTED}) counted) / (1 + count)) as weight
    from holders where count <= ${MOST_HOLDERS} or (select min(count) from holders) > ${MOST_HOLDERS}
  ), covered as (
    select exploration_id as id, sum(weight) / greatest((select sum(weight) from words), 1e-9) as coverage
    from holding join words using (lexeme) ${ofStatus}
    group by exploration_id order by coverage desc, exploration_id limit ${BY_WORDS}
  ), found as (
    select id, coalesce(max(coverage), 0) as coverage, max(named) as named,
      least(1, greatest(0, coalesce((max(cosine) - ${unrelated}) / (${related} - ${unrelated}), 0))) as meaning
    from (
      ${branches.join('\n      union all ')}
    ) branches group by id
  ), candidates as materialized (
    select e.id, f.coverage, f.named, f.meaning, ts_rank(d.document, q.query, 32) as rank, ${quoted} as quoted
    from (select * from found order by named desc, 1 - (1 - meaning) * (1 - 0.6 * coverage ^ 3) desc, id limit ${CLOSELY}) f
      join explorations e on e.id = f.id join search_documents d on d.exploration_id = f.id cross join question q
    where (e.workspace_id = ${visible}) is true${statuses && ` and e.status = any(${statuses})`}
  ), scored as (
    select id, coverage, round((case named when ${EXACT} then 1 when ${REFERRED} then 0.99 else
      case when quoted then 0.9 else 0 end + case when quoted then 0.09 else 0.89 end * (1 - (1 - meaning) * (1 - words)) end)::numeric, 6)::float8 as score
    from (
      select *, greatest(case named when ${ALIKE} then 0.3 else 0 end, 0.6 * coverage ^ 3 * coalesce(rank / nullif(max(rank) over (), 0), 0)) as words
      from candidates
    ) weighed
    where named > 0 or quoted or coverage >= ${value(asked.least, 'float8')} or meaning > 0
  ), page as (
    select * from scored where ${score} is null or score < ${score} or (score = ${score} and id > ${id})
    order by score desc, id limit ${value(asked.limit, 'int')}
  )
  select ${SUMMARY}, jsonb_build_object('id', w.id, 'slug', w.slug, 'name', w.name) as workspace, page.score, page.coverage,
    (select jsonb_object_agg(lexeme, weight) from words) as words
  from page join explorations e on e.id = page.id join workspaces w on w.id = e.workspace_id
  order by page.score desc, page.id`
  return { statement, values }
}

// How a question names an exploration, the surest last.
const ALIKE = 1
const REFERRED = 2
const EXACT = 3

type Nearest = Pick<NonNullable<Asked['meaning']>, 'embedder' | 'dimensions'>

/** As the index of the embedder's vectors has it. */
const vectorType = ({ dimensions }: Nearest): string => `${dimensions <= 2000 ? 'vector' : 'halfvec'}(${dimensions})`

/** The index of an embedder's vectors covers just that embedder, with its dimensions: both are part of the statement. */
const nearest = (meaning: Nearest, vector: string, visible: string, ofStatus: string): string => `
        select v.exploration_id as id, 1 - (v.embedding::${vectorType(meaning)} <=> ${vector}) as cosine
        from exploration_vectors v ${ofStatus}
        where v.embedder = ${meaning.embedder} and v.embedding is not null and v.workspace_id = ${visible}
        order by v.embedding::${vectorType(meaning)} <=> ${vector} limit ${NEAREST}`

const quotes = (phrases: string): string => `
      (select bool_and(numnode(phraseto_tsquery('english', phrase)) > 0 and d.document @@ phraseto_tsquery('english', phrase)) from unnest(${phrases}) as phrase)`
