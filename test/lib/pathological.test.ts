// No text of a record, a query or a client takes more than its length to read: a limit of processor time on each case, far above the need.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

/** Of the processor, so that programs beside it do not count. A pattern that takes the square of a text's length would need minutes. */
const MAX_CPU_MS = 10_000
const EVERY_MS = 250

t.test('pathological texts', async (t) => {
  const child = fork(fileURLToPath(new URL(`pathological-child${extname(import.meta.url)}`, import.meta.url)))
  t.teardown(() => child.kill('SIGKILL'))
  let current = 'the start'
  let cases = 0
  child.on('message', (name) => {
    current = String(name)
    cases++
  })
  // utime and stime of proc(5), after the name in parentheses, in hundredths of a second.
  const used = (): number => {
    if (!existsSync(`/proc/${child.pid}/stat`)) return 0
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  let since = { name: current, cpuMs: used() }
  const watch = setInterval(() => {
    if (since.name !== current) since = { name: current, cpuMs: used() }
    else if (used() - since.cpuMs > MAX_CPU_MS) child.kill('SIGKILL')
  }, EVERY_MS)
  const [code, signal] = await once(child, 'exit')
  clearInterval(watch)
  t.same({ code, signal }, { code: 0, signal: null }, current)
  t.equal(current, '', 'the last one was reached')
  t.ok(cases > 2000, `${cases} cases`)
})
