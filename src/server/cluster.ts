/** What the replicas of one service share through Valkey; without it a server on a database is alone there, or does not start. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from './dependencies.js'
import type { Config } from '../config.js'
import { valkeyAskedIds } from '../mcp/eras/legacy/asked-ids.js'
import { valkeyEventLog } from '../cluster/valkey-event-store.js'
import { Refusal } from '../lib/errors.js'
import { memoryLimitCounts, togetherOrAlone } from '../http/rate-limit-counter.js'
import { valkeyLimitCounts } from '../cluster/valkey-rate-limit-counter.js'
import { takePlace, type Place, type PlaceOptions } from '../cluster/replica-lock.js'
import { openValkey, type ValkeyOptions } from '../cluster/valkey.js'
import { valkeyBus } from '../cluster/valkey-event-bus.js'
import { evictionWarning } from '../cluster/valkey-memory.js'
import { pulse } from '../cluster/replica-heartbeat.js'

export interface Shared {
  parts: Partial<Pick<Parts, 'askedIds' | 'bus' | 'eventLog' | 'limitCounts' | 'place' | 'valkey'>>
  /** What an operator should change. */
  warning?: string | undefined
  close (): Promise<void>
}

// A server that is being replaced may still be ending.
const PATIENCE_MS = 3000

export const joinReplicas = async ({ databaseUrl, platformUrl, valkeyUrl, sessionSecret }: Config, changed: PlaceOptions['changed']): Promise<Shared> => {
  if (valkeyUrl !== undefined && databaseUrl === undefined && platformUrl === undefined) {
    throw new Refusal('VALKEY_URL is for replicas on one database: set DATABASE_URL (or PLATFORM_URL) as well, or leave VALKEY_URL out.')
  }
  const place = databaseUrl === undefined ? undefined : await patientPlace(databaseUrl, valkeyUrl !== undefined, changed)
  try {
    if (valkeyUrl === undefined) return { parts: { ...(place && { place }) }, close: async () => { await place?.close() } }
    if (!sessionSecret) throw new Refusal('SESSION_SECRET is not set: replicas need the same one, or each would refuse the sessions of the others.')
    const shared = await shareThrough(valkeyUrl).catch(refuseValkey)
    return {
      parts: { ...shared.parts, ...(place && { place }) },
      warning: shared.warning,
      async close () {
        await shared.close()
        await place?.close()
      }
    }
  } catch (error) {
    await place?.close()
    throw error
  }
}

export const shareThrough = async (url: string, options?: ValkeyOptions): Promise<Shared> => {
  const valkey = await openValkey(url, options)
  try {
    const bus = await valkeyBus(valkey)
    const beat = await pulse(valkey)
    return {
      warning: await evictionWarning(valkey),
      parts: {
        valkey,
        bus,
        askedIds: valkeyAskedIds(valkey),
        eventLog: valkeyEventLog(valkey, bus, beat),
        limitCounts: togetherOrAlone(valkey, valkeyLimitCounts(valkey), memoryLimitCounts())
      },
      async close () {
        beat.end()
        bus.close()
        await valkey.close()
      }
    }
  } catch (error) {
    await valkey.close()
    throw error
  }
}

const patientPlace = async (url: string, sharing: boolean, changed: PlaceOptions['changed']): Promise<Place> => {
  const deadline = performance.now() + PATIENCE_MS
  do {
    const place = await takePlace(url, { sharing, changed })
    if (place) return place
    await sleep(200)
  } while (performance.now() < deadline)
  throw new Refusal(sharing
    ? 'Another replica serves this database without VALKEY_URL: stop it, or give it the same VALKEY_URL.'
    : 'Another replica serves this database already: set the same VALKEY_URL on each, so that they share limits, streams and messages.', 'conflict')
}

/** Says why without the address, which may hold a password. */
const refuseValkey = (error: unknown): never => {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  throw new Refusal(`The Valkey of VALKEY_URL cannot be reached${code}: check its host, port, name, user and password.`)
}
