/** Search without an embedder: by names and words. */
import type { SqlSearch } from '../store/search.js'
import type { Search } from '../store/store.js'
import { explain } from './explain.js'

export const findingByWords = (sql: SqlSearch): Search => ({
  async find (question) {
    const { items, ...rest } = await sql.find(question)
    return { items: await explain(sql, items, undefined, question.signal), ...rest }
  }
})
