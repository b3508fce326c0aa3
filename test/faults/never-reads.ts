/** Clients who ask for much and take none of it: streams that are told of very many changes, and calls sent without reading an answer. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.js'
import { connected, listenText, requestText } from './sockets.js'

const STREAMS = 8
const CALLERS = 8
const CALLS = 600
const EXPLORATIONS = 100
// The system itself takes some 4 MB for a client that does not.
const ROUNDS = 250
const ROWS = 1000
// Who takes nothing is let go after two minutes, or twice as long.
const PATIENCE_S = 270
const ESTABLISHED = '01'

export const neverReads = async ({ addresses, key, exploration, query, memoryOf }: Cluster): Promise<string> => {
  const before = memoryOf(0)
  let most = before
  const watch = setInterval(() => { most = Math.max(most, memoryOf(0)) }, 100)
  const copies = await query<{ id: string }>(`insert into explorations select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).*
    from explorations e, generate_series(1, ${EXPLORATIONS}) where e.id = $1 returning id`, [exploration])
  const ids = copies.map(({ id }) => id)
  const text = listenText(key, ids.map((id) => `service://exploration/${id}`))
  const streams = await Promise.all(Array.from({ length: STREAMS }, async () => {
    const socket = await connected(addresses[0]!)
    socket.write(text)
    await once(socket, 'data')
    return socket.pause()
  }))
  const call = requestText(key, 'tools/list', {})
  const callers = await Promise.all(Array.from({ length: CALLERS }, async () => {
    const socket = await connected(addresses[0]!)
    socket.pause().write(call.repeat(CALLS))
    return socket
  }))
  const from = performance.now()
  for (let round = 0; round < ROUNDS; round++) {
    await query(`insert into changes (workspace_id, exploration_id) select workspace_id, id from explorations, generate_series(1, ${ROWS / EXPLORATIONS})
      where id = any($1)`, [ids])
  }
  const seconds = (): number => Math.round((performance.now() - from) / 1000)
  while (openOf(streams) > 0 && seconds() < PATIENCE_S) await sleep(200)
  clearInterval(watch)
  const left = openOf(streams)
  for (const socket of [...streams, ...callers]) socket.destroy()
  await query('delete from explorations where id = any($1)', [ids])
  if (left > 0) throw new Error(`${left} of ${STREAMS} streams that no one reads are still open`)
  return `at most ${Math.round((most - before) / 2 ** 20)} MB more; the streams were ended after ${seconds()} s`
}

/** How many connections the other end still has open, as the system has it: who does not read does not see that one has ended. */
const openOf = (sockets: readonly Socket[]): number => {
  const ports = new Set(sockets.map(({ localPort }) => localPort))
  return readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1).filter((line) => {
    const [, , remote = '', state] = line.trim().split(/\s+/)
    return state === ESTABLISHED && ports.has(parseInt(remote.split(':')[1]!, 16))
  }).length
}
