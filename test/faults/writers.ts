/**
 * Agents that write while replicas are killed: each note is sent, with one key, until it is answered. Then every answered one has to be
 * there once, with its row of the history, its change and its audit event, and none twice.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { toolCall } from '../helpers/build.js'
import type { Cluster } from './cluster.js'
import type { Told } from './faults.js'

const AGENTS = 8
/** Together they stay below what an exploration may have. */
const NOTES_EACH = 240
const KILLS = 12
const KILL_EVERY_MS = 500
const PAUSE_MS = 20
const COUNTED = `select
  (select count(*)::int from notes where starts_with(text, $1)) as notes,
  (select count(distinct text)::int from notes where starts_with(text, $1)) as texts,
  (select count(*)::int from history h join notes n on n.id::text = h.target where h.kind = 'note' and starts_with(n.text, $1)) as history,
  (select count(*)::int from audit_events where action = 'tools/call add_note' and outcome = 'ok') as audit`

/** Ends replicas in turn in the middle of writes. `wrong`: notes that are there twice. `lost`: answered ones that lack a part. */
export const writersWhileKilled = async ({ addresses, end, start, key, exploration, query }: Cluster): Promise<Told> => {
  const [{ workspace_id: workspace } = { workspace_id: '' }] = await query<{ workspace_id: string }>(
    'select workspace_id from explorations where id = $1', [exploration])
  await query("update workspaces set agents = 'report' where id = $1", [workspace])
  const over = new AbortController()
  const figures = { sent: 0, answered: 0, refused: 0, failed: 0 }
  const post = async (call: ReturnType<typeof toolCall>): Promise<boolean> => {
    const address = addresses[figures.sent++ % addresses.length]
    try {
      const { statusCode, body } = await request(`${address}/mcp`, call)
      const { result } = await body.json() as { result?: { structuredContent?: { note_id?: string } } }
      if (result?.structuredContent?.note_id !== undefined) return true
      if (statusCode >= 500) figures.refused++
    } catch {
      figures.failed++
    }
    await sleep(PAUSE_MS)
    return false
  }
  const agent = async (n: number): Promise<void> => {
    for (let count = 0; count < NOTES_EACH && !over.signal.aborted; count++) {
      const text = `Written by ${n}: ${count}`
      const call = toolCall(key, 'add_note', { exploration_id: exploration, text, idempotency_key: text })
      let answered = false
      while (!answered) answered = await post(call)
      figures.answered++
    }
  }
  const agents = Array.from({ length: AGENTS }, (_, n) => agent(n))
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(KILL_EVERY_MS)
    await end(kill % addresses.length, 'SIGKILL')
    await start(kill % addresses.length)
  }
  over.abort()
  await Promise.all(agents)
  const [{ notes, texts, history, audit } = { notes: 0, texts: 0, history: 0, audit: 0 }] =
    await query<Record<'notes' | 'texts' | 'history' | 'audit', number>>(COUNTED, ['Written by '])
  const { answered } = figures
  return {
    ...figures,
    wrong: notes - texts + Math.abs(notes - answered),
    lost: Math.max(0, answered - history) + Math.max(0, answered - audit),
    recoverMs: 0,
    note: `${notes} notes, ${history} rows of history, ${audit} audit events of ${answered} answered writes`
  }
}
