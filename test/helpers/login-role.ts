/** Roles of the PostgreSQL server of TEST_DATABASE_URL. */
import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { openPostgres } from '../../src/db/postgres/postgres.js'

export interface LoginRole { username: string, password: string, url: string }

/**
 * A role that can log in and nothing else, at the address of a database. It and its rights there go away with the test, after the teardowns
 * that are added later.
 */
export const loginRole = async (t: Test, databaseUrl: string): Promise<LoginRole> => {
  const role = { username: `role_${randomBytes(6).toString('hex')}`, password: randomBytes(12).toString('hex') }
  const owner = await openPostgres(databaseUrl, { connections: 1 })
  await owner.query(`create role ${role.username} login password '${role.password}'`)
  t.teardown(async () => {
    await owner.query(`drop owned by ${role.username}`)
    await owner.query(`drop role ${role.username}`)
    await owner.close()
  })
  return { ...role, url: Object.assign(new URL(databaseUrl), role).href }
}
