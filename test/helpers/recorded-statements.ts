/**
 * Where TEST_STATEMENTS names a folder, keeps there the statements that the product sends to the databases of tests, and the lines of src/
 * that send them. When the other tests have ended, test/query-plans/query-plans.test.ts looks at the plans of all of them.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import type { Database, Queryable } from '../../src/db/sql/database.js'

export interface Statement {
  /** Such as `db/planning/sql-plans.ts:40`. */
  site: string
  text: string
}

export const STATEMENTS_FOLDER = process.env['TEST_STATEMENTS'] || undefined

// The product's own line comes after those of the tests that wrap a database.
const SITE = /\/src\/(?!db\/postgres\/postgres|db\/planning\/sql-store)(.+\.[jt]s:\d+)/
const recorded = new Set<string>()

/** The call sites in the compiled modules: to look those of each statement up in source maps takes ten times as long. */
const callSites = (): string => {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => `${site.getFileName()}:${site.getPosition()}`).join('\n')
  const { stack = '' } = new Error()
  Error.prepareStackTrace = prepareStackTrace
  return stack
}

const record = (text: string): void => {
  const compiled = SITE.exec(callSites())?.[1]
  if (compiled === undefined || recorded.has(`${compiled} ${text}`)) return
  recorded.add(`${compiled} ${text}`)
  const site = SITE.exec(new Error().stack ?? '')?.[1]
  appendFileSync(`${STATEMENTS_FOLDER}/${process.pid}.ndjson`, `${JSON.stringify({ site, text })}\n`)
}

/** Tells each text before it is sent. */
export const telling = (db: Database, tell: (text: string) => void): Database => {
  const query = (on: Queryable): Queryable['query'] => (text, values, options) => {
    tell(text)
    return on.query(text, values, options)
  }
  return {
    ...db,
    query: query(db),
    transaction: (work) => db.transaction((tx) => work({ query: query(tx) })),
    script: (text) => {
      tell(text)
      return db.script(text)
    }
  }
}

export const recording = (db: Database): Database => STATEMENTS_FOLDER === undefined ? db : telling(db, record)

export const readStatements = (folder: string): Statement[] => {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(`${folder}/${file}`, 'utf8').trimEnd().split('\n'))
  return [...new Set(lines)].map((line): Statement => JSON.parse(line))
}
