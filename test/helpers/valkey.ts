/** Connections to the Valkey of TEST_VALKEY_URL. */
import type { Test } from 'tap'
import { shareThrough } from '../../src/server/cluster.js'
import { valkeyEventLog } from '../../src/cluster/valkey-event-store.js'
import { valkeyBus } from '../../src/cluster/valkey-event-bus.js'
import { pulse } from '../../src/cluster/replica-heartbeat.js'
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
  const sharing = await shareThrough(url, OPTIONS)
  t.teardown(() => sharing.close())
  return sharing.parts
}

/** A replica's streams; `die` ends its signs of life. */
export const replicaLog = async (t: Test, url = VALKEY!) => {
  const connection = await valkey(t, url)
  const bus = await valkeyBus(connection)
  t.teardown(() => bus.close())
  const beat = await pulse(connection, 50, 200)
  t.teardown(() => beat.end())
  return { connection, bus, log: valkeyEventLog(connection, bus, beat, 50), die: () => beat.end() }
}

/** Resolves once it says so; the test's own time limit ends it otherwise. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!await isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}
