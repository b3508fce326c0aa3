/** Connections to the Valkey of TEST_VALKEY_URL. */
import type { Test } from 'tap'
import { connectValkey } from '../../src/server/connect-valkey.js'
import { valkeyEventStore } from '../../src/cluster/valkey-event-store.js'
import { valkeyEventBus } from '../../src/cluster/valkey-event-bus.js'
import { startHeartbeat } from '../../src/cluster/replica-heartbeat.js'
import { openValkey, type Valkey } from '../../src/cluster/valkey.js'

/** Undefined where there is none. */
export const VALKEY = process.env['TEST_VALKEY_URL'] || undefined

/** Soon given up, soon tried again. */
const OPTIONS = { commandTimeoutMs: 1000, probeEveryMs: 50 }

export const valkey = async (t: Test, url = VALKEY!): Promise<Valkey> => {
  const opened = await openValkey(url, OPTIONS)
  t.teardown(() => opened.close())
  return opened
}

/** What one replica shares with others. */
export const shared = async (t: Test, url = VALKEY!) => {
  const sharing = await connectValkey(url, OPTIONS)
  t.teardown(() => sharing.close())
  return sharing.deps
}

/** A replica's streams; `die` ends its signs of life. */
export const replicaLog = async (t: Test, url = VALKEY!) => {
  const connection = await valkey(t, url)
  const bus = await valkeyEventBus(connection)
  t.teardown(() => bus.close())
  const beat = await startHeartbeat(connection, 50, 200)
  t.teardown(() => beat.stop())
  return { connection, bus, log: valkeyEventStore(connection, bus, beat, 50), die: () => beat.stop() }
}
