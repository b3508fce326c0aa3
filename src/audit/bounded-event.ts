/** Makes an audit event safe to store: redacts and truncates the texts of clients, drops ids that are not UUIDs. */
import { redactText } from '../lib/redact/redact.js'
import type { AuditEvent } from './audit-log.js'
import { sanitizeText } from '../lib/sanitize-text.js'
import { isUuid } from '../lib/uuid.js'

// In UTF-16 code units.
const MAX_LENGTHS = {
  action: 500,
  outcome: 64,
  request_id: 200,
  remote_address: 100,
  client: 200,
  actor: 200,
  reported_by: 200
}

type Text = keyof typeof MAX_LENGTHS

/**
 * Returns a copy that every store accepts. Events share one statement, so one bad text would otherwise fail all of
 * them.
 */
export const boundedEvent = (event: AuditEvent): AuditEvent => ({
  ...event,
  action: text('action', event.action),
  outcome: text('outcome', event.outcome),
  request_id: text('request_id', event.request_id),
  remote_address: text('remote_address', event.remote_address),
  client: optional('client', event.client),
  actor: optional('actor', event.actor),
  reported_by: optional('reported_by', event.reported_by),
  workspace_id: uuidOrUndefined(event.workspace_id),
  exploration_id: uuidOrUndefined(event.exploration_id)
})

// Truncates first, so that a long text costs little, and again, because a redaction mark may be longer than the text it
// replaces. Truncating a credential is safe: redactText also recognizes its beginning.
const text = (name: Text, given: string): string =>
  sanitizeText(redactText(given.slice(0, 2 * MAX_LENGTHS[name])).slice(0, MAX_LENGTHS[name]))

const optional = (name: Text, given: string | undefined): string | undefined =>
  given === undefined ? undefined : text(name, given)

const uuidOrUndefined = (id: string | undefined): string | undefined =>
  id !== undefined && isUuid(id) ? id.toLowerCase() : undefined
