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

/** Milliseconds of processor time of the children of a process that have ended; the kernel counts in ticks of 10 ms. */
const endedCpuMs = (pid) => {
  // The name in parentheses may hold spaces. Fields 16 and 17 of proc_pid_stat(5), the third comes first here.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/**
 * Returns a function that gives the milliseconds of processor time of the database's processes, those that have ended
 * included: parallel workers and those of autovacuum end between two readings.
 */
export const databaseCpu = (address) => withClient(address, async (client) => {
  const { rows: [{ pid }] } = await client.query('select pg_backend_pid() as pid')
  const server = parentOf(pid)
  return () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).reduce((sum, name) => {
    try {
      return Number(name) === server || parentOf(name) === server ? sum + cpuMs(name) : sum
    } catch {
      return sum
    }
  }, endedCpuMs(server))
})
