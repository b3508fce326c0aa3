// Databases of a bench on the PostgreSQL that scripts/services/run.mjs starts, and the processor time of that PostgreSQL (Linux only).
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { cpuMs } from './builds.mjs'

/** Runs `work` with a connection to this database. */
export const withClient = async (url, work) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Creates a database on the server of this address, as a copy of `template` where there is one; gives its address. */
export const createDatabase = async (address, name, template) => {
  await withClient(address, (admin) => admin.query(`create database ${name} ${template === undefined ? '' : `template ${template}`}`))
  return Object.assign(new URL(address), { pathname: `/${name}` }).href
}

const parentOf = (pid) => Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1])

/** Returns a function that gives the milliseconds of processor time of the database's processes that run now. */
export const databaseCpu = (address) => withClient(address, async (client) => {
  const { rows: [{ pid }] } = await client.query('select pg_backend_pid() as pid')
  const server = parentOf(pid)
  return () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).reduce((sum, name) => {
    try {
      return Number(name) === server || parentOf(name) === server ? sum + cpuMs(name) : sum
    } catch {
      return sum
    }
  }, 0)
})
