/** A database with the sample data that counts what is sent to it. */
import type { Test } from 'tap'
import { sampleDatabase } from './database.js'
import { telling } from './recorded-statements.js'

/** `ignored`: statements that are not counted; `notifies`: whether it says what was committed, as the embedded database does. */
export const countingDatabase = async (t: Test, { ignored = /(?!)/, notifies = true } = {}) => {
  const { onNotification, ...real } = await sampleDatabase(t)
  let statements: string[] = []
  const db = telling({ ...real, ...(notifies && onNotification && { onNotification }) }, (text) => {
    if (!ignored.test(text)) statements.push(text)
  })
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
