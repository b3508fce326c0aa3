/** Search without an embedder: by names and words. */
import type { SqlSearch } from '../../src/db/sql-search.js'
import type { Search } from '../../src/planning/store.js'
import { addSnippets } from '../../src/search/add-snippets.js'

export const keywordSearch = (sql: SqlSearch): Search => ({
  async find (question) {
    const { items, ...rest } = await sql.find(question)
    return { items: await addSnippets(sql, items, undefined, question), ...rest }
  }
})
