/** What is fuzzed: each takes one input and throws when a promise is broken. */
import { randomUUID } from 'node:crypto'
import { Fault, Refusal } from '../../src/lib/errors.js'
import { readEventId } from '../../src/engine/eras/legacy/event-id.js'
import { requestStateCodec } from '../../src/engine/eras/modern/request-state.js'
import { parseJson, parseMessage } from '../../src/engine/jsonrpc/parse.js'
import { decodeCursor, encodeCursor } from '../../src/db/sql/cursor.js'
import { escapeInvisible } from '../../src/lib/text/invisible.js'
import { redactText } from '../../src/lib/redact/redact.js'
import { createRandom, mutate, type Random } from './random.js'

export interface Target {
  /** A valid input, or one that comes near it. */
  seed (random: Random): string
  run (input: string): unknown
}

/** Errors that say that the input is wrong are answers. */
const refusing = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    if (error instanceof Fault || error instanceof Refusal) return undefined
    throw error
  }
}

const REQUEST = { kind: 'request', id: 1, method: 'tools/call', params: { name: 'x' } } as const
const states = requestStateCodec(['a secret of the fuzzer, long enough to be one'])
const isPosition = (position: unknown[]): position is [string, number] =>
  typeof position[0] === 'string' && typeof position[1] === 'number'

/** Those that need no server. `seeds` are JSON-RPC messages. */
export const pureTargets = (seeds: readonly [string, ...string[]]): Record<string, Target> => ({
  parser: {
    seed: (random) => random.choose(seeds),
    run: (input) => refusing(() => parseMessage(parseJson(Buffer.from(input, input.length % 2 === 0 ? 'utf8' : 'latin1'))))
  },
  cursors: {
    seed: (random) => encodeCursor('t', [randomText(random), random.integer(10)]),
    run: (input) => refusing(() => decodeCursor('t', input, isPosition))
  },
  'event ids': { seed: (random) => `c-${randomText(random)}:${random.integer(1000)}`, run: readEventId },
  'request states': {
    seed: () => states.seal([{ a: { action: 'accept' } }], REQUEST, 'credential'),
    run: (input) => refusing(() => states.open(input, REQUEST, 'credential'))
  },
  redaction: {
    seed: (random) => `${random.choose(seeds)} svc_key_ABCDEFGH2345`,
    run (input) {
      const line = JSON.stringify({ input })
      JSON.parse(escapeInvisible(redactText(line)))
      if (redactText(input).includes('svc_key_ABCDEFGH2345')) throw new Error('a credential was left in')
    }
  }
})

const randomText = (random: Random): string =>
  mutate(random.choose(['abc', randomUUID(), '']), createRandom(random.integer(2 ** 31))).slice(0, 40)
