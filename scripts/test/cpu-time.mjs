/** Processor time of processes, from proc(5). */
import { readFileSync } from 'node:fs'

// What the kernel shows to programs, on every architecture of Linux.
const MS_PER_TICK = 10

/**
 * Milliseconds that processors worked for a process, and for those that it started, waited for and that have ended. Undefined where there
 * is no /proc, or no such process.
 * @param {number | 'self'} pid
 * @returns {{ own: number, children: number } | undefined}
 */
export const cpuTime = (pid) => {
  try {
    // The second field, the name of the program, is in parentheses and may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ').map(Number)
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15)
    return { own: (utime + stime) * MS_PER_TICK, children: (cutime + cstime) * MS_PER_TICK }
  } catch {
    return undefined
  }
}
