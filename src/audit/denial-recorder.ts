/**
 * Records denied requests in the audit log without letting a caller fill it: the first of each kind and caller at once, the
 * others of that minute as one event with their count.
 */
import { isIPv6 } from 'node:net'
import type { AuditEvent } from './audit-log.js'

const WINDOW_MS = 60_000
const MAX_CALLERS = 1000

export interface DenialRecorder {
  record (event: AuditEvent): void
  close (): Promise<void>
}

export const createDenialRecorder = (
  writeAudit: (event: AuditEvent) => Promise<void>, failed: (error: unknown) => void
): DenialRecorder => {
  const denials = new Map<string, { event: AuditEvent, more: number }>()

  const flushCounts = async (): Promise<void> => {
    const repeated = [...denials.values()].filter(({ more }) => more > 0)
    denials.clear()
    await Promise.all(repeated.map(({ event, more }) => writeAudit({ ...event, count: more }).catch(failed)))
  }
  const timer = setInterval(() => { flushCounts().catch(failed) }, WINDOW_MS).unref()

  return {
    record (event) {
      const who = event.credential_id ?? addressBlock(event.remote_address)
      const key = `${event.outcome} ${event.action} ${who}`
      const counted = denials.get(key) ?? (denials.size < MAX_CALLERS ? undefined : denials.get(event.outcome))
      if (counted) {
        counted.more++
      } else if (denials.size < MAX_CALLERS) {
        denials.set(key, { event, more: 0 })
        writeAudit(event).catch(failed)
      } else {
        // One event for all callers that are too many to be told apart.
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
    async close () {
      clearInterval(timer)
      await flushCounts()
    }
  }
}

/** One customer's share of the address space. */
const addressBlock = (address: string): string =>
  isIPv6(address) && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address
