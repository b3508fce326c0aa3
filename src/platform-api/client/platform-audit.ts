/**
 * Writes audit events to the platform. Events that arrive together are sent together, and each call waits for the
 * platform's confirmation. Each event has a UUID, so that a batch can be sent again without duplicates.
 */
import { randomUUID } from 'node:crypto'
import type { FromSchema } from 'json-schema-to-ts'
import type shapes from '#schemas/platform-api/credentials.json'
import { createBatchQueue } from '../../lib/async/batch-queue.js'
import type { AuditEvent, AuditLog } from '../../access/audit/audit-log.js'
import { boundedEvent } from '../../access/audit/bounded-event.js'
import { PlatformProtocolError } from './errors.js'
import { callers } from './credential-operations.js'
import type { Platform } from './client.js'

type Event = FromSchema<typeof shapes.auditBatch>['events'][number]

const MAX_WAITING = 10_000
const BATCH = 200
// Batches that may be on their way at the same time.
const AT_ONCE = 4

/** `record` rejects while the platform is away, when 10,000 events wait, and when the platform did not store all. */
export const platformAudit = ({ request }: Platform): Pick<AuditLog, 'record' | 'purge' | 'createPartitions'> => {
  const events = createBatchQueue<Event>(async (batch) => {
    const { kept } = await request(callers.keepAuditEvents, { body: { events: [...batch] } })
    if (kept !== batch.length) {
      throw new PlatformProtocolError(`The platform kept ${kept} of ${batch.length} audit events.`)
    }
  }, { maxBatch: BATCH, concurrency: AT_ONCE, maxQueued: MAX_WAITING, label: 'audit events' })

  return {
    record: (event) => events.add(sent(event)),

    // The platform decides how it stores events, and how long.
    createPartitions: async () => 0,
    purge: async () => 0
  }
}

const sent = (event: AuditEvent): Event => {
  const { event_id: id = randomUUID(), reported_by: _, ...fields } = boundedEvent(event)
  // JSON leaves out what is undefined.
  return { id, ...fields } as Event
}
