/** Counts of all replicas together: however many visits and windows, one script and one round trip. */
import { script, type Valkey } from './valkey.js'
import type { RateLimitCounter } from '../http/rate-limit-counter.js'

// For each visit ARGV has the number of its windows, and the milliseconds and the most of each; KEYS has a key for each window.
const COUNT = script(`
  local told, key, place = {}, 0, 1
  while ARGV[place] do
    local windows, passed = tonumber(ARGV[place]), true
    for window = 1, windows do
      key = key + 1
      local ms, most = tonumber(ARGV[place + 2 * window - 1]), tonumber(ARGV[place + 2 * window])
      local current
      if passed then current = redis.call('INCR', KEYS[key]) else current = tonumber(redis.call('GET', KEYS[key]) or 0) end
      local ttl = redis.call('PTTL', KEYS[key])
      if ttl < 0 then
        redis.call('PEXPIRE', KEYS[key], ms)
        ttl = ms
      end
      passed = passed and current <= most
      told[#told + 1] = current
      told[#told + 1] = ttl
    end
    place = place + 1 + 2 * windows
  end
  return told`)

export const valkeyRateLimitCounter = (valkey: Valkey): RateLimitCounter => async (hits) => {
  const keys = hits.flatMap(({ key, windows }) => windows.map(({ ms }) => `exploration-mcp:limit:${ms}:${key}`))
  const values = hits.flatMap(({ windows }) => [windows.length, ...windows.flatMap(({ ms, max }) => [ms, max])])
  const counted = await valkey.run(COUNT, keys, values) as number[]
  let place = 0
  return hits.map(({ windows }) => windows.map(() => ({ current: counted[place++]!, ttl: counted[place++]! })))
}
