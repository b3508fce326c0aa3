/**
 * Records denied requests in the audit log and keeps a caller from flooding it. Writes the first denial of each kind
 * and caller at once, and the others of that minute as one event with a count.
 */
import { isIPv6 } from 'node:net'
import type { AuditEvent } from './audit-log.js'

const WINDOW_MS = 60_000
const MAX_CALLERS = 1000

export type DenialRecorder = ReturnType<typeof createDenialRecorder>

export const createDenialRecorder = (
  writeAudit: (event: AuditEvent) => Promise<void>, failed: (error: unknown) => void
) => {
  const denials = new Map<string, { event: AuditEvent, more: number }>()

  const flushCounts = async (): Promise<void> => {
    const repeated = [...denials.values()].filter(({ more }) => more > 0)
    denials.clear()
    await Promise.all(repeated.map(({ event, more }) => writeAudit({ ...event, count: more }).catch(failed)))
  }
  const timer = setInterval(() => { flushCounts().catch(failed) }, WINDOW_MS).unref()

  return {
    /** Writes the event or counts it. Does not throw: errors go to `failed`. */
    record (event: AuditEvent): void {
      const who = event.credential_id ?? addressBlock(event.remote_address)
      const key = `${event.outcome} ${event.action} ${who}`
      const counted = denials.get(key) ?? (denials.size < MAX_CALLERS ? undefined : denials.get(event.outcome))
      if (counted) {
        counted.more++
      } else if (denials.size < MAX_CALLERS) {
        denials.set(key, { event, more: 0 })
        writeAudit(event).catch(failed)
      } else {
        // One shared event for all callers beyond MAX_CALLERS.
        denials.set(event.outcome, {
          event: {
            ...event,
            user_id: undefined,
            credential_id: undefined,
            credential_kind: undefined,
            client: undefined,
            remote_address: '*'
          },
          more: 1
        })
      }
    },
    async close (): Promise<void> {
      clearInterval(timer)
      await flushCounts()
    }
  }
}

/** The /64 of an IPv6 address, because one host has a whole /64; other addresses unchanged. */
const addressBlock = (address: string): string =>
  isIPv6(address) && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address
