/** A database with the sample data that counts what is sent to it. */
import type { Test } from 'tap'
import type { Database, Queryable } from '../../src/db/sql/database.js'
import { sampleDatabase } from './database.js'

export interface CountingDatabase {
  db: Database
  /** Runs the work and returns the statements that were sent meanwhile, also inside transactions. */
  counted: (work: () => Promise<unknown>) => Promise<string[]>
}

export interface CountingOptions {
  /** Statements that are not counted. */
  ignored?: RegExp
  /** Whether it tells of commits, as the embedded database does; a PostgreSQL server does not. */
  notifies?: boolean
}

export const countingDatabase = async (t: Test, { ignored = /(?!)/, notifies = true }: CountingOptions = {}): Promise<CountingDatabase> => {
  const { onNotification, ...real } = await sampleDatabase(t)
  let statements: string[] = []
  const counting = (on: Queryable): Pick<Queryable, 'query'> => ({
    query: (...asked) => {
      if (!ignored.test(asked[0])) statements.push(asked[0])
      return on.query(...asked)
    }
  })
  return {
    db: {
      ...real,
      ...counting(real),
      transaction: (work) => real.transaction((tx) => work({ ...tx, ...counting(tx) })),
      ...(notifies && onNotification && { onNotification })
    },
    counted: async (work) => {
      statements = []
      await work()
      return statements
    }
  }
}
