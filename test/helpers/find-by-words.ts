/** Search without an embedder: by names and words. */
import type { SqlSearch } from '../../src/search/ranking/sql-search.js'
import type { Search } from '../../src/planning/store.js'
import { createSearchEngine } from '../../src/search/search-engine.js'
import { addSnippets } from '../../src/search/hybrid-search.js'

const engine = createSearchEngine(() => Promise.reject(new Error('words do')))

export const keywordSearch = (sql: SqlSearch): Search => ({
  async find (request) {
    const { items, ...rest } = await sql.find(request)
    return { items: await addSnippets(engine, items, { query: request.query, byMeaning: false }, request.signal), ...rest }
  }
})
