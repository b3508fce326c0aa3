/** Gives each hit the sentence that shows why it was found. */
import type { QueryOptions } from '../../db/database.js'
import type { SearchHit } from '../../planning/store.js'
import type { FoundWords, SqlSearch } from '../../db/sql-search.js'
import type { SearchEngine } from '../search-engine.js'

export interface SnippetDeps {
  sql: Pick<SqlSearch, 'texts'>
  engine: Pick<SearchEngine, 'explain'>
}

/**
 * Returns the hits, each with its best sentence, or with its title where it has none.
 * @param question `byMeaning`: whether sentences near in meaning are wanted where words do not decide
 * @throws the reason of the signal when it is aborted
 */
export const addSnippets = async (
  { sql, engine }: SnippetDeps, found: readonly FoundWords[],
  { query, byMeaning }: { query: string, byMeaning: boolean }, options: QueryOptions = {}
): Promise<SearchHit[]> => {
  const missing = found.filter(({ snippet }) => snippet === undefined).map(({ id }) => id)
  const snippets = missing.length === 0
    ? new Map<string, string>()
    : await engine.explain(
      { query, byMeaning, words: found[0]?.words ?? {}, texts: await sql.texts(missing, options) }, options)
  return found.map(({ coverage: _coverage, words: _words, ...hit }) =>
    ({ ...hit, snippet: (hit.snippet ?? snippets.get(hit.id)) || hit.title }))
}
