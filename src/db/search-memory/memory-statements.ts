/** The statements of the search in memory. */
import type { ExplorationSummary } from '../../planning/store.js'
import { SUMMARY } from '../sql-explorations.js'
import { REFERENCE } from '../search-ranking-statement.js'
import { MAX_STEMS } from '../search-words-statement.js'
import type { Stem } from './word-stems.js'
import { statementValues, wantedCondition, type SearchScope, type Statement } from '../search-scope.js'

/** Most changed explorations that one look gives. */
const MAX_CHANGED = 32

/** The only row of `READ_QUESTION_CONTEXT`. */
export interface QuestionContext {
  /** In their order: the title in small letters, and the stems in the order of the text. Null without any question. */
  questions: Array<{ title: string | null, stems: string[] }> | null
  /** In their order: the quoted phrases as texts of queries. Null without any phrase. */
  phrases: string[] | null
  workspaces: Array<{ id: string, slug: string, name: string }>
  /** In the order of the words: their stems; null for a stop word. Null without any word. */
  stems: Stem[] | null
  /** What has a later revision than the memory, the earliest first; none proves that the memory is as the database. */
  changed: Array<{ id: string, revision: number }>
}

/**
 * `$1` texts of questions, `$2` their titles or nulls, `$3` ids of workspaces, `$4` the revision of the memory, `$5`
 * single words, `$6` quoted phrases. Phrases by question would be estimated at so much more than they are that the
 * statement was planned anew each time, which takes longer than to run it.
 */
export const READ_QUESTION_CONTEXT = `
  select (
    select json_agg(json_build_object('title', lower(title), 'stems', (
        select coalesce(json_agg(lexeme order by place), '[]') from (
          select lexeme, positions[1] as place from unnest(to_tsvector('english', text)) order by place
          limit ${MAX_STEMS}) stem
      )) order by number)
    from unnest($1::text[], $2::text[]) with ordinality as question (text, title, number)
  ) as questions, (
    select json_agg(phraseto_tsquery('english', phrase)::text order by number)
    from unnest($6::text[]) with ordinality as quoted (phrase, number)
  ) as phrases, (
    select coalesce(json_agg(workspace), '[]')
    from (select id, slug, name from workspaces where id = any($3::uuid[])) workspace
  ) as workspaces, (
    select json_agg((ts_lexize('pg_catalog.english_stem', word))[1] order by number)
    from unnest($5::text[]) with ordinality as single (word, number)
  ) as stems, (
    select coalesce(json_agg(later order by revision), '[]')
    from (select exploration_id as id, revision from search_revisions where revision > $4::bigint
      order by revision limit ${MAX_CHANGED}) later
  ) as changed`

/** A row of `EXPLORATIONS`. */
export interface ExplorationRow extends ExplorationSummary {
  /** In small letters, as the database writes them. */
  lower_title: string
  /** The number in its address. */
  reference: string | null
  /** The text of a tsvector; null before its words are indexed. */
  document: string | null
  /** The texts of vectors. */
  vectors: string[]
}

/** A row of `EXPLORATIONS` as it is read. */
export interface ReadExploration extends ExplorationRow {
  /** The stems of words that questions about it may have; null for a stop word, and without any word. */
  stems: Record<string, Stem> | null
}

// Types of tokens of PostgreSQL's parser: words of ASCII letters, alone, as parts, and with hyphens.
const ASCII_WORDS = '(1, 11, 16)'
/** Characters of the title and the first summary whose words are read. */
const STEMMED = 1000

/** `$1` ids of explorations, `$2` the embedder's number or null: a row for each that exists. */
export const EXPLORATIONS = `
  select ${SUMMARY}, lower(e.title) as lower_title, case when e.url is not null then ${REFERENCE} end as reference,
    (select d.document::text from search_documents d where d.exploration_id = e.id) as document,
    array(select v.embedding::text from exploration_vectors v
      where v.embedder = $2::smallint and v.exploration_id = e.id and v.embedding is not null
      order by v.chunk) as vectors,
    (select jsonb_object_agg(token, (ts_lexize('pg_catalog.english_stem', token))[1]) from
      ts_parse('default', lower(left(concat_ws(' ', e.title, e.summaries #>> '{0,text}'), ${STEMMED})))
      where tokid in ${ASCII_WORDS}) as stems
  from explorations e where e.id = any($1::uuid[])`

/** Returns the statement for titles that are nearly the question: rows of ids. */
export const alikeStatement = ({ visible, statuses, tag }: SearchScope, text: string): Statement => {
  const { values, value } = statementValues()
  const workspaces = value(visible, 'uuid[]')
  return {
    statement: `select e.id from explorations e
      where e.workspace_id = any(${workspaces}) and ${value(text, 'text')} <% e.title
        ${wantedCondition('e', { statuses, tag }, value)}`,
    values
  }
}
