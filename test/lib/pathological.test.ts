// No text of a record, a query or a client takes more than its length to read: a hard limit of time on each case, far above what is needed.
import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

/** A pattern that takes the square of a text's length would need minutes. */
const LIMIT_MS = 20_000

t.test('pathological texts', { timeout: 280_000 }, async (t) => {
  const child = fork(fileURLToPath(new URL(`pathological-child${extname(import.meta.url)}`, import.meta.url)))
  t.teardown(() => child.kill('SIGKILL'))
  let current = 'the start'
  let cases = 0
  const stuck = await new Promise<string | undefined>((resolve) => {
    const expired = (): void => resolve(current)
    let timer = setTimeout(expired, 2 * LIMIT_MS)
    child.on('message', (name) => {
      clearTimeout(timer)
      current = String(name)
      if (current === '') return resolve(undefined)
      cases++
      timer = setTimeout(expired, LIMIT_MS)
    })
    child.on('exit', (code) => {
      clearTimeout(timer)
      if (code !== 0) resolve(`${current}: exit code ${code}`)
    })
  })
  t.equal(stuck, undefined)
  t.ok(cases > 2000, `${cases} cases`)
})
