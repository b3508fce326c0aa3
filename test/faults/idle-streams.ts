/** Very many clients who listen, and hear of nothing until there is something: what each costs, and how soon all hear. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Socket } from 'node:net'
import type { Cluster } from './cluster.js'
import { connected, listenText } from './sockets.js'

const AT_ONCE = 50
const TIMEOUT_MS = 30_000

export const idleStreams = async (
  { addresses, key, exploration, query, memoryOf }: Cluster, many: number
): Promise<string> => {
  const text = listenText(key, [`service://exploration/${exploration}`])
  const sockets: Socket[] = []
  const seen = { heard: 0, ended: 0 }
  const open = async (): Promise<void> => {
    const socket = await connected(addresses[0]!)
    sockets.push(socket)
    socket.setEncoding('latin1').write(text)
    await new Promise<void>((resolve, reject) => {
      socket.on('data', (data) => {
        if (String(data).includes('subscriptions/acknowledged')) resolve()
        if (String(data).includes('resources/updated')) seen.heard++
      })
      socket.once('close', () => {
        seen.ended++
        reject(new Error('a stream was refused'))
      })
    })
  }
  const before = memoryOf(0)
  let opened = 0
  const opening = Array.from({ length: AT_ONCE }, async () => { while (opened++ < many) await open() })
  await Promise.all(opening)
  await sleep(2000)
  const each = (memoryOf(0) - before) / many
  const from = performance.now()
  await query("update explorations set updated_at = updated_at + interval '1 millisecond' where id = $1", [exploration])
  while (seen.heard < many && performance.now() - from < TIMEOUT_MS) await sleep(10)
  const took = performance.now() - from
  const { heard, ended } = seen
  for (const socket of sockets) socket.destroy()
  if (heard < many || ended > 0) throw new Error(`${heard} of ${many} streams heard of a change, ${ended} ended`)
  return `${(each / 1024).toFixed(1)} KB a stream; a change reached all in ${(took / 1000).toFixed(1)} s`
}
