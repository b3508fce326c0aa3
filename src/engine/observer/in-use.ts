/** Ids of requests and progress tokens while they are in use: another request must not have the same. */
import { lruSet } from '../../lib/lru.js'
import { digest, type ParsedExchange } from './parsed-exchange.js'

/** By their digests: when each was last in use, in milliseconds since the epoch. */
export type InUse = Map<string, { from: number, to: number }>

const MAX_IN_USE = 200

/** Stores that an exchange uses an id or token. Returns whether another exchange used it at the same time. */
export const isInUse = (inUse: InUse, value: unknown, { at, end }: Pick<ParsedExchange, 'at' | 'end'>): boolean => {
  const key = digest(value)
  const other = inUse.get(key)
  lruSet(inUse, key, { from: at, to: end }, MAX_IN_USE)
  return other !== undefined && other.from < end && other.to > at
}
