/** Keys and entry ids of legacy calls' streams in Valkey. Entry 0-1 opens a stream; message n is entry 0-(n + 1). */

export const MAX_MESSAGES = 1000

/** The key of a stream's entries, and the key of its owner record. */
export const keysOf = (stream: string): [events: string, owner: string] =>
  [`exploration-mcp:events:${stream}`, `exploration-mcp:owner:${stream}`]

/** The sequence number of a message's entry: message 1 is entry 0-2. */
export const placeOf = (number: number): number => number + 1

/** The number of the message in the entry `0-<sequence number>`. */
export const numberOf = (id: string): number => Number(id.split('-')[1]) - 1
