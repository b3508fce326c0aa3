/**
 * `npm run faults [NAME…]`: what goes wrong with what the replicas stand on, and with them, while they are under load. Prints for each
 * fault how many calls were sent, answered, refused with 503 and when to try again, answered by none, answered wrongly (a change that a
 * listener does not hear of counts there too); answered calls that the audit log lacks; and how long after the fault was over all were
 * answered again. Wrong answers and lost rows have to be 0.
 */
import { cluster } from './cluster.js'
import { FAULTS } from './faults.js'
import { load } from './load.js'

const named = process.argv.slice(2)
const unknown = named.filter((name) => !(name in FAULTS))
if (unknown.length > 0) {
  console.error(`There is no fault ${unknown.join(', ')}; there are ${Object.keys(FAULTS).join(', ')}.`)
  process.exit(2)
}

const row = (cells: ReadonlyArray<string | number>): void => console.log(`| ${cells.join(' | ')} |`)

const replicas = await cluster()
let failures = 0
try {
  row(['fault', 'sent', 'answered', 'refused', 'no answer', 'wrong', 'audit rows lost', 'ms to recover', 'besides'])
  row(Array.from({ length: 9 }, () => '---'))
  for (const [name, { title, run }] of Object.entries(FAULTS)) {
    if (named.length > 0 && !named.includes(name)) continue
    const { sent, answered, refused, failed, wrong, lost, recoverMs, note = '' } = await run(replicas, (callers) => load(replicas, name, callers))
    if (wrong > 0 || lost > 0) failures++
    row([title, sent, answered, refused, failed, wrong, lost, recoverMs, note])
  }
} finally {
  await replicas.close()
}
process.exit(failures === 0 ? 0 : 1)
