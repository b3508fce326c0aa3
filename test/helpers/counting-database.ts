/** A database with the sample data that counts what is sent to it. */
import type { Test } from 'tap'
import type { Database, Queryable } from '../../src/db/sql/database.js'
import { sampleDatabase } from './database.js'

/** `ignored`: statements that are not counted; `notifies`: whether it says what was committed, as the embedded database does. */
export const countingDatabase = async (t: Test, { ignored = /(?!)/, notifies = true } = {}) => {
  const { onNotification, ...real } = await sampleDatabase(t)
  let statements: string[] = []
  const counting = (on: Queryable): Pick<Queryable, 'query'> => ({
    query: (...asked) => {
      if (!ignored.test(asked[0])) statements.push(asked[0])
      return on.query(...asked)
    }
  })
  const db: Database = {
    ...real,
    ...counting(real),
    transaction: (work) => real.transaction((tx) => work({ ...tx, ...counting(tx) })),
    ...(notifies && onNotification && { onNotification })
  }
  return {
    db,
    /** Runs the work and returns the statements that were sent meanwhile, also inside transactions. */
    async counted (work: () => Promise<unknown>): Promise<string[]> {
      statements = []
      await work()
      return statements
    }
  }
}
