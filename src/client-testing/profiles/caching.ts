/** Profiles: how long results may be kept (2026-07-28). */
import { isRequest } from '../proxy/exchange.js'
import { withResult } from '../proxy/reply.js'
import type { JsonObject } from '../../lib/json/json-object.js'
import { breaks, contentOf, COPING, injectedIn, judgeCoping } from './judges.js'
import type { ProfileRow } from './profile.js'
import { changeReplies } from './targets.js'

const CACHED = [
  'server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read'
]
const MAX_AGAIN = 20

const hints = (
  id: string, happens: string, expects: string, change: (result: JsonObject) => JsonObject
): ProfileRow => ({
  id,
  kind: 'illegal',
  level: 'SHOULD',
  modern: 'server/utilities/caching#time-to-live-ttl-field',
  happens,
  expects,
  judgedBy: `${COPING}; no request comes more than ${MAX_AGAIN} times`,
  create: () => changeReplies(happens, (reply, call) =>
    call.era === 'modern' && isRequest(call, ...CACHED) ? withResult(reply, call, change) : undefined),
  judge (evidence) {
    const counts = new Map<string | undefined, number>()
    for (const exchange of injectedIn(evidence)) {
      const key = contentOf(exchange)
      const count = (counts.get(key) ?? 0) + 1
      if (count > MAX_AGAIN) return breaks(`It sent the same request ${count} times.`, exchange)
      counts.set(key, count)
    }
    return judgeCoping(evidence)
  }
})

export const caching: readonly ProfileRow[] = [
  hints('cache-ttl-negative', 'ttlMs is negative', 'take it for 0, and go on',
    (result) => ({ ...result, ttlMs: -1 })),
  hints('cache-ttl-missing', 'results have neither ttlMs nor cacheScope', 'take ttlMs for 0, and go on',
    ({ ttlMs: _, cacheScope: _scope, ...result }) => result),
  {
    ...hints('cache-ttl-short', 'ttlMs is 1', 'ask when it needs the result, not whenever the time is over',
      (result) => ({ ...result, ttlMs: 1 })),
    kind: 'legal',
    modern: 'server/utilities/caching#freshness-calculation'
  }
]
