/**
 * Refusals for the audit log, without letting whoever is refused fill it: of each kind and caller the first is recorded at once,
 * the others of that minute as one event with their count.
 */
import { isIPv6 } from 'node:net'
import type { AuditEvent } from './audit-log.js'

const WINDOW_MS = 60_000
const MOST_CALLERS = 1000

export interface RefusalNotes {
  note (event: AuditEvent): void
  close (): Promise<void>
}

export const refusalNotes = (record: (event: AuditEvent) => Promise<void>, failed: (error: unknown) => void): RefusalNotes => {
  const seen = new Map<string, { event: AuditEvent, more: number }>()

  const sum = async (): Promise<void> => {
    const repeated = [...seen.values()].filter(({ more }) => more > 0)
    seen.clear()
    await Promise.all(repeated.map(({ event, more }) => record({ ...event, count: more }).catch(failed)))
  }
  const timer = setInterval(() => { sum().catch(failed) }, WINDOW_MS).unref()

  return {
    note (event) {
      const who = event.credential_id ?? block(event.remote_address)
      const key = `${event.outcome} ${event.action} ${who}`
      const known = seen.get(key) ?? (seen.size < MOST_CALLERS ? undefined : seen.get(event.outcome))
      if (known) {
        known.more++
      } else if (seen.size < MOST_CALLERS) {
        seen.set(key, { event, more: 0 })
        record(event).catch(failed)
      } else {
        // One event for all callers that are too many to be told apart.
        seen.set(event.outcome, { event: { ...event, user_id: undefined, credential_id: undefined, credential_kind: undefined, client: undefined, remote_address: '*' }, more: 1 })
      }
    },
    async close () {
      clearInterval(timer)
      await sum()
    }
  }
}

/** One customer's share of the address space. */
const block = (address: string): string => isIPv6(address) && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address
