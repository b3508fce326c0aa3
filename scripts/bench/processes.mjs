// The processes of a server that starts one for each connection, as PostgreSQL does (Linux only).
import { readdirSync, readFileSync } from 'node:fs'

/** The process that started another one; undefined when that has ended. */
export const parentOf = (pid) => {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

/** A process and all that it started. */
export const processesOf = (pid) =>
  [pid, ...readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((other) => parentOf(other) === pid)]
