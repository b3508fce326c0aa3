/**
 * The state of a plan costs about as much as reading its rows once, also where the database has no statistics: an
 * embedded database never gathers any, so its planner takes every table for a small one.
 */
// @no-services: on the embedded database
import t from 'tap'
import type { Queryable } from '../../src/db/sql/database.js'
import { plans } from '../../src/db/planning/sql-plans.js'
import { build } from '../helpers/build.js'
import { importWebRecords, LARGE } from '../helpers/web-records.js'

interface Node { 'Shared Hit Blocks'?: number, 'Shared Read Blocks'?: number }

t.test('a plan of 600 items, no statistics', async (t) => {
  const { db } = await build(t)
  await importWebRecords(db)
  let statement = ''
  const recorder: Queryable = {
    async query (sql) {
      statement = sql
      return []
    }
  }
  await plans(recorder).state(LARGE)
  t.match(statement, /plan_items/)
  const [row] = await db.query<{ 'QUERY PLAN': Array<{ Plan: Node }> }>(`explain (analyze, buffers, format json) ${statement}`, [LARGE])
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = row?.['QUERY PLAN'][0]?.Plan ?? {}
  t.ok(hit + read > 10 && hit + read < 5000, `${hit + read} blocks`)
})
