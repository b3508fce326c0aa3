/** Where Valkey keeps the streams of legacy calls: message n of a stream is its entry 0-(n + 1), after one that opens it. */

export const MAX_MESSAGES = 1000

/** The stream itself, and whose it is. */
export const keysOf = (stream: string): [events: string, owner: string] =>
  [`exploration-mcp:events:${stream}`, `exploration-mcp:owner:${stream}`]

export const placeOf = (number: number): number => number + 1

export const numberOf = (id: string): number => Number(id.split('-')[1]) - 1
