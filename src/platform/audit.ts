/**
 * The audit log of a platform: events that arrive together are sent together, and each waits until it is kept. Each has an id of its own,
 * so that it may be sent again.
 */
import { randomUUID } from 'node:crypto'
import type { FromSchema } from 'json-schema-to-ts'
import type auditBatch from '#schemas/platform/audit_batch.json'
import { batched } from '../batched.js'
import type { AuditEvent, AuditLog } from '../store/audit.js'
import { storable } from '../store/storable.js'
import { isUuid } from '../store/uuid.js'
import { PlatformBroken } from './away.js'
import { keepAudit } from './caller-operations.js'
import type { Platform } from './client.js'

type Event = FromSchema<typeof auditBatch>['events'][number]

const MAX_WAITING = 10_000
const BATCH = 200
// While one batch is on its way, the next need not wait for it.
const AT_ONCE = 4

export const platformAudit = ({ ask }: Platform): Pick<AuditLog, 'record' | 'purge'> => {
  const events = batched<Event>(async (batch) => {
    const { kept } = await ask(keepAudit, { body: { events: [...batch] } })
    if (kept !== batch.length) throw new PlatformBroken(`The platform kept ${kept} of ${batch.length} audit events.`)
  }, { most: BATCH, atOnce: AT_ONCE, mostWaiting: MAX_WAITING, what: 'audit events' })

  return {
    record: (event) => events.add(sent(event)),

    // How long events are kept is the platform's affair.
    purge: async () => 0
  }
}

/** Ids that a client made up name nothing, and no text of one event may have the others refused. */
const sent = (event: AuditEvent): Event => {
  const { user_id: user, credential_id: credential, credential_kind: kind, client, actor, count } = event
  const { workspace_id: workspace, exploration_id: exploration } = event
  return {
    id: event.event_id ?? randomUUID(),
    action: text(event.action, 500),
    outcome: text(event.outcome, 64),
    duration_ms: event.duration_ms,
    request_id: text(event.request_id, 200),
    remote_address: text(event.remote_address, 200),
    ...user !== undefined && { user_id: user },
    ...credential !== undefined && { credential_id: credential },
    ...kind !== undefined && { credential_kind: kind },
    ...workspace !== undefined && isUuid(workspace) && { workspace_id: workspace.toLowerCase() },
    ...exploration !== undefined && isUuid(exploration) && { exploration_id: exploration.toLowerCase() },
    ...client !== undefined && { client: text(client, 2000) },
    ...actor !== undefined && { actor: text(actor, 500) },
    ...count !== undefined && { count }
  }
}

const text = (given: string, most: number): string => storable(given.slice(0, most))
