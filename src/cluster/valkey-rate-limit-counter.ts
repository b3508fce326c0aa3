/** Rate-limit counts that all replicas share: one script and one round trip for any number of hits and windows. */
import { script, type Valkey } from './valkey.js'
import type { Hit, RateLimitCounter, WindowCount } from '../access/limits/rate-limit-counter.js'

// ARGV: per hit how many times it counts and the number of its windows, then the milliseconds and the maximum of each.
// KEYS: one key per window.
const COUNT = script(`
  local counts, key, place = {}, 0, 1
  while ARGV[place] do
    local passed, windows = tonumber(ARGV[place]), tonumber(ARGV[place + 1])
    for window = 1, windows do
      key = key + 1
      local ms, most = tonumber(ARGV[place + 2 * window]), tonumber(ARGV[place + 2 * window + 1])
      local current
      if passed > 0 then
        current = redis.call('INCRBY', KEYS[key], passed)
      else
        current = tonumber(redis.call('GET', KEYS[key]) or 0)
      end
      local ttl = redis.call('PTTL', KEYS[key])
      if ttl < 0 then
        redis.call('PEXPIRE', KEYS[key], ms)
        ttl = ms
      end
      passed = math.min(passed, math.max(0, most - current + passed))
      counts[#counts + 1] = current
      counts[#counts + 1] = ttl
    end
    place = place + 2 + 2 * windows
  end
  return counts`)

const PEEK = script(`
  local counts = {}
  for place, key in ipairs(KEYS) do
    counts[#counts + 1] = tonumber(redis.call('GET', key) or 0)
    counts[#counts + 1] = math.max(0, redis.call('PTTL', key))
  end
  return counts`)

/**
 * Counts hits in Valkey. A window beyond the first exceeded one of a hit is read and not counted. `current` is the
 * count, `ttl` the milliseconds until it starts anew.
 * @throws `Fault` `unavailable` while Valkey is away
 */
export const valkeyRateLimitCounter = (valkey: Valkey): RateLimitCounter => Object.assign(
  async (hits: readonly Hit[]) => {
    const values = hits.flatMap(({ windows, times = 1 }) =>
      [times, windows.length, ...windows.flatMap(({ ms, max }) => [ms, max])])
    return countsOf(hits, await valkey.run(COUNT, keysOf(hits), values))
  },
  {
    peek: async (hits: readonly Hit[]) =>
      hits.length === 0 ? [] : countsOf(hits, await valkey.run(PEEK, keysOf(hits), []))
  }
)

const keysOf = (hits: readonly Hit[]): string[] =>
  hits.flatMap(({ key, windows }) => windows.map(({ ms }) => `exploration-mcp:limit:${ms}:${key}`))

/** Two figures for each window, in order: the count and the milliseconds. */
const countsOf = (hits: readonly Hit[], reply: unknown): WindowCount[][] => {
  const figures: unknown[] = Array.isArray(reply) ? reply : []
  let position = 0
  const next = (): number => {
    const figure = figures[position++]
    if (typeof figure !== 'number') throw new Error('Valkey returned fewer counts than were asked for.')
    return figure
  }
  return hits.map(({ windows }) => windows.map(() => ({ current: next(), ttl: next() })))
}
