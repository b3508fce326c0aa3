/** What replicas share through Valkey. Loaded only where a Valkey is configured. */
import { valkeyAskedIds } from '../cluster/valkey-asked-ids.js'
import { valkeyEventStore } from '../cluster/valkey-event-store.js'
import { memoryRateLimitCounter, withLocalFallback } from '../access/limits/rate-limit-counter.js'
import { valkeyRateLimitCounter } from '../cluster/valkey-rate-limit-counter.js'
import { evictionWarning, openValkey, type ValkeyOptions } from '../cluster/valkey.js'
import { valkeyEventBus } from '../cluster/valkey-event-bus.js'
import { startHeartbeat } from '../cluster/replica-heartbeat.js'

/** `warning` is a sentence on what the operator should change. @throws the connection error when it is not reached */
export const connectValkey = async (url: string, options?: ValkeyOptions) => {
  const valkey = await openValkey(url, options)
  try {
    const bus = await valkeyEventBus(valkey)
    const heartbeat = await startHeartbeat(valkey)
    return {
      warning: await evictionWarning(valkey),
      deps: {
        valkey,
        bus,
        askedIds: valkeyAskedIds(valkey),
        eventStore: valkeyEventStore(valkey, bus, heartbeat),
        rateLimitCounter: withLocalFallback(valkey, valkeyRateLimitCounter(valkey), memoryRateLimitCounter())
      },
      async close () {
        heartbeat.stop()
        bus.close()
        await valkey.close()
      }
    }
  } catch (error) {
    await valkey.close()
    throw error
  }
}
