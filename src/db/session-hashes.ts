/** Hashes ids of legacy sessions, which come with each request of a session. */
import { hash } from 'node:crypto'
import { lruSet } from '../lib/lru.js'

const MAX_REMEMBERED = 256
/** A longer id is no session: it is not looked up. */
const MAX_ID_LENGTH = 4096

/** Returns a function that gives the SHA-256 in hexadecimal of an id; undefined for one that is too long. */
export const sessionHashes = (): ((id: string) => string | undefined) => {
  const hashes = new Map<string, string>()
  return (id) => {
    if (id.length > MAX_ID_LENGTH) return undefined
    return hashes.get(id) ?? lruSet(hashes, id, hash('sha256', id), MAX_REMEMBERED)
  }
}
