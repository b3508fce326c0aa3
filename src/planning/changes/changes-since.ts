/** What happened, for an agent that comes back. */
import type { UserPrincipal } from '../../lib/principal.js'
import { mayWriteAs } from '../agent-policy.js'
import type { ChangeReader } from './change-store.js'
import type { ChangesRequest } from './ports.js'
import type { ChangeNote } from './records.js'

/** In UTF-16 code units, of the JSON of a result, without the cursor. */
const MAX_CHARS = 5_700

/** The changes of the workspaces where the caller may write, oldest first. */
export const changesSince = async (
  reader: ChangeReader, { rules }: UserPrincipal, { exploration, since, limit }: ChangesRequest
): Promise<{ changes: ChangeNote[], next_cursor: string }> => {
  const workspaces = [...rules ?? []].filter(([, rule]) => rule.agents !== 'read' && mayWriteAs(rule)).map(([id]) => id)
  const { events, cursor } = await reader.events({ workspaces, exploration, since, limit })
  const changes: ChangeNote[] = []
  let size = 0
  let next = cursor
  for (const { note, after } of events) {
    size += JSON.stringify(note).length + 1
    if (size > MAX_CHARS && changes.length > 0) break
    changes.push(note)
    next = after
  }
  return { changes, next_cursor: next }
}
