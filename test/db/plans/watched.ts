/** A database on a server that tells how it carried out each statement: also those inside functions, triggers and foreign keys. */
import pg from 'pg'
import type { Database, Queryable } from '../../../src/db/sql/database.js'
import { postgresTypes } from '../../../src/db/postgres/postgres-types.js'
import { callSite } from './call-sites.js'
import type { Plan } from './plan-faults.js'

export interface Carried {
  /** Where in src/ the statement was sent that this is, or is a part of. */
  site: string
  /** What the server carried out. */
  statement: string
  plan: Plan
}

/** What a database is to be set to, by a superuser. */
export const TELLING = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'off'
}

export interface Watched extends Database { carried: Carried[] }

/** `options` of the connection, such as `-c plan_cache_mode=force_generic_plan`. */
export const watched = async (url: string, options: string): Promise<Watched> => {
  const pool = new pg.Pool({ connectionString: url, options, types: postgresTypes, max: 4 })
  const carried: Carried[] = []

  const on = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      return await work(client)
    } finally {
      client.release()
    }
  }

  const send = async <R>(
    client: pg.PoolClient, text: string, values: readonly unknown[], site: string | undefined, next?: string
  ): Promise<R[]> => {
    const listen = ({ message = '' }): void => {
      const [, told] = /^duration: .* plan:\n(.*)$/s.exec(message) ?? []
      if (told === undefined || site === undefined) return
      const { 'Query Text': statement, Plan: plan } = JSON.parse(told) as { 'Query Text': string, Plan: Plan }
      carried.push({ site, statement, plan })
    }
    client.on('notice', listen)
    try {
      const { rows } = await client.query<pg.QueryResultRow>(text, [...values])
      if (next !== undefined) await client.query(next)
      return rows as R[]
    } finally {
      client.off('notice', listen)
    }
  }

  return {
    carried,
    query: (text, values = []) => {
      const site = callSite()
      return on((client) => send(client, text, values, site))
    },
    transaction: (work) => on(async (client) => {
      const tx: Queryable = {
        query: async <R>(text: string, values: readonly unknown[] = []) => {
          const site = callSite()
          // Inside a transaction a statement is over, and told, when the next one begins.
          return await send<R>(client, text, values, site, 'select')
        }
      }
      await client.query('begin')
      try {
        const outcome = await work(tx)
        await client.query('commit')
        return outcome
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    }),
    script: (text) => on(async (client) => { await client.query(text) }),
    exclusively: (work) => work(),
    close: () => pool.end()
  }
}
