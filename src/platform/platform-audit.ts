/**
 * The audit log of a platform: events that arrive together are sent together, and each waits until it is kept. Each has an id of its own,
 * so that it may be sent again.
 */
import { randomUUID } from 'node:crypto'
import type { FromSchema } from 'json-schema-to-ts'
import type auditBatch from '#schemas/platform/audit_batch.json'
import { createBatchQueue } from '../lib/batch-queue.js'
import type { AuditEvent, AuditLog } from '../audit/audit-log.js'
import { boundedEvent } from '../audit/bounded-event.js'
import { PlatformProtocolError } from './errors.js'
import { keepAudit } from './credential-operations.js'
import type { Platform } from './client.js'

type Event = FromSchema<typeof auditBatch>['events'][number]

const MAX_WAITING = 10_000
const BATCH = 200
// While one batch is on its way, the next need not wait for it.
const AT_ONCE = 4

export const platformAudit = ({ request }: Platform): Pick<AuditLog, 'record' | 'purge'> => {
  const events = createBatchQueue<Event>(async (batch) => {
    const { kept } = await request(keepAudit, { body: { events: [...batch] } })
    if (kept !== batch.length) throw new PlatformProtocolError(`The platform kept ${kept} of ${batch.length} audit events.`)
  }, { maxBatch: BATCH, concurrency: AT_ONCE, maxQueued: MAX_WAITING, label: 'audit events' })

  return {
    record: (event) => events.add(sent(event)),

    // How long events are kept is the platform's affair.
    purge: async () => 0
  }
}

const sent = (event: AuditEvent): Event => {
  const { event_id: id = randomUUID(), reported_by: _, ...told } = boundedEvent(event)
  return { id, ...withoutUndefined(told) }
}

const withoutUndefined = <Given extends object>(given: Given): { [Key in keyof Given]: Exclude<Given[Key], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
