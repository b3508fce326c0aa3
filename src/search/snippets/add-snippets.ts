/** Gives each hit the sentence that shows why it was found. */
import type { SearchHit } from '../../planning/store.js'
import type { FoundExploration } from '../ranking/sql-search.js'
import type { SearchEngine } from '../search-engine.js'

/** The title where there is no sentence; `byMeaning`: whether near ones are wanted where words do not decide. */
export const addSnippets = async (
  engine: Pick<SearchEngine, 'explain'>, found: readonly FoundExploration[],
  query: { query: string, byMeaning: boolean }, signal?: AbortSignal
): Promise<SearchHit[]> => {
  const texts = new Map(found.map(({ id, text }) => [id, text]))
  const snippets = texts.size === 0
    ? texts
    : await engine.explain({ ...query, words: found[0]?.words ?? {}, texts }, signal)
  return found.map(({ coverage: _coverage, words: _words, text: _text, ...hit }) =>
    ({ ...hit, snippet: snippets.get(hit.id) ?? hit.title }))
}
