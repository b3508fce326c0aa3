/** The streams that are open now, by credential: bounded in number, and ended when the credential no longer works. */
import { Fault } from '../errors.js'
import type { Principal } from '../principal.js'

export interface OpenStreams {
  readonly size: number
  /** A `Fault` when the credential holds as many as it may; gives what takes the stream off the list. */
  add (principal: Principal, end: () => void): () => void
  /** Ends the streams of a credential. */
  endOf (credential: string): void
  /** Ends those of credentials that have expired. */
  endExpired (): void
}

interface Open { expires: number, end: () => void }

export const openStreams = (mostPerCredential: number, now: () => number = Date.now): OpenStreams => {
  const byCredential = new Map<string, Set<Open>>()
  let size = 0

  const endAll = (streams: Iterable<Open>): void => {
    for (const { end } of [...streams]) end()
  }

  return {
    get size () {
      return size
    },

    add ({ credential: { id, expires_at: expires } }, end) {
      const mine = byCredential.get(id) ?? new Set()
      if (mine.size >= mostPerCredential) {
        throw new Fault('too_many_streams', `This credential has ${mostPerCredential} streams open, as many as it may. Close one first.`,
          { scope: 'streams', limit: mostPerCredential })
      }
      const open = { expires: expires === null ? Infinity : Date.parse(expires), end }
      byCredential.set(id, mine.add(open))
      size++
      return () => {
        if (!mine.delete(open)) return
        size--
        if (mine.size === 0) byCredential.delete(id)
      }
    },

    endOf: (credential) => endAll(byCredential.get(credential) ?? []),

    endExpired () {
      for (const streams of byCredential.values()) endAll([...streams].filter(({ expires }) => expires <= now()))
    }
  }
}
