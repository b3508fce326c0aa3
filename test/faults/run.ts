/**
 * `npm run faults [NAME…]`: what goes wrong with what the replicas stand on, and with them, while they are under load; and upgrades from
 * the build before, and back. Prints for each fault how many calls were sent, answered, refused with 503 and when to try again, answered by
 * none, answered wrongly (a change that a listener does not hear of counts there too); answered calls that the audit log lacks; and how
 * long after the fault was over all were answered again. Wrong answers and lost rows have to be 0.
 */
import { cluster, type Cluster } from './cluster.js'
import { FAULTS, type Told } from './faults.js'
import { load } from './load.js'
import { UPGRADES } from './upgrade.js'

const names = [...Object.keys(FAULTS), ...Object.keys(UPGRADES)]
const named = process.argv.slice(2)
const unknown = named.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no fault ${unknown.join(', ')}; there are ${names.join(', ')}.`)
  process.exit(2)
}

const row = (cells: ReadonlyArray<string | number>): void => console.log(`| ${cells.join(' | ')} |`)

let replicas: Cluster | undefined
const runFault = async (name: string): Promise<Told> => {
  const upgrade = UPGRADES[name]
  if (upgrade) return await upgrade.run()
  const running = replicas ??= await cluster()
  return await FAULTS[name]!.run(running, (callers) => load(running, name, callers))
}

let failures = 0
try {
  row(['fault', 'sent', 'answered', 'refused', 'no answer', 'wrong', 'audit rows lost', 'ms to recover', 'besides'])
  row(Array.from({ length: 9 }, () => '---'))
  for (const name of names.filter((name) => named.length === 0 || named.includes(name))) {
    const { sent, answered, refused, failed, wrong, lost, recoverMs, note = '' } = await runFault(name)
    if (wrong > 0 || lost > 0) failures++
    row([(FAULTS[name] ?? UPGRADES[name])!.title, sent, answered, refused, failed, wrong, lost, recoverMs, note])
  }
} finally {
  await replicas?.close()
}
process.exit(failures === 0 ? 0 : 1)
