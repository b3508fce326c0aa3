/** Hashes ids of legacy sessions, which come with each request of a session. */
import { hash } from 'node:crypto'
import { lruSet } from '../lib/lru.js'
import { MAX_SESSION_ID_LENGTH } from '../mcp/eras/legacy/session.js'

const MAX_REMEMBERED = 256

/** The SHA-256 of a session's id, in hexadecimal: what is stored of a session that ended. */
export const hashOfSession = (id: string): string => hash('sha256', id)

/** Returns the same with a memory of the ids that came last; undefined for one that is too long to be a session's. */
export const sessionHashes = (): ((id: string) => string | undefined) => {
  const hashes = new Map<string, string>()
  return (id) => {
    if (id.length > MAX_SESSION_ID_LENGTH) return undefined
    return hashes.get(id) ?? lruSet(hashes, id, hashOfSession(id), MAX_REMEMBERED)
  }
}
