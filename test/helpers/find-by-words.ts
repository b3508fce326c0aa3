/** Search without an embedder: by names and words. */
import type { SqlSearch } from '../../src/db/sql-search.js'
import type { Search } from '../../src/planning/store.js'
import { createSearchEngine } from '../../src/search/search-engine.js'
import { addSnippets } from '../../src/search/snippets/add-snippets.js'

const engine = createSearchEngine(() => Promise.reject(new Error('words do')))

export const keywordSearch = (sql: SqlSearch): Search => ({
  async find (question) {
    const { items, ...rest } = await sql.find(question)
    return { items: await addSnippets({ sql, engine }, items, { query: question.query, byMeaning: false }, question), ...rest }
  }
})
