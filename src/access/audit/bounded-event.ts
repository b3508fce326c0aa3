/** Makes an audit event safe to store: redacts and truncates the texts of clients, drops ids that are not UUIDs. */
import { redactText } from '../../lib/redact/redact.js'
import { cacheUnchanged } from '../../lib/redact/cache-unchanged.js'
import type { AuditEvent } from './audit-log.js'
import { sanitizeText } from '../../lib/text/text.js'
import { isUuid } from '../../lib/uuid.js'

/**
 * Returns a function that makes texts safe, with at most `max` UTF-16 code units. Truncates first, so that a long text
 * costs little, and again, because a redaction mark may be longer than the text it replaces. Truncating a credential is
 * safe: redactText also recognizes its beginning.
 */
const bounded = (max: number) => (text: string): string =>
  sanitizeText(redactText(text.slice(0, 2 * max)).slice(0, max))

// Most of them are the same from event to event.
const TEXTS = {
  action: cacheUnchanged(bounded(500)),
  outcome: cacheUnchanged(bounded(64)),
  remote_address: cacheUnchanged(bounded(100)),
  client: cacheUnchanged(bounded(200)),
  actor: cacheUnchanged(bounded(200)),
  reported_by: cacheUnchanged(bounded(200))
}
const requestId = bounded(200)

/**
 * Returns a copy that every store accepts. Events share one statement, so one bad text would otherwise fail all of
 * them. Each field is written by its name: copying the event and then overwriting fields takes four times as long.
 */
export const boundedEvent = (event: AuditEvent): AuditEvent => ({
  event_id: event.event_id,
  user_id: event.user_id,
  credential_id: event.credential_id,
  credential_kind: event.credential_kind,
  action: TEXTS.action(event.action),
  workspace_id: uuidOrUndefined(event.workspace_id),
  exploration_id: uuidOrUndefined(event.exploration_id),
  outcome: TEXTS.outcome(event.outcome),
  duration_ms: event.duration_ms,
  request_id: isUuid(event.request_id) ? event.request_id : requestId(event.request_id),
  client: optional('client', event.client),
  remote_address: TEXTS.remote_address(event.remote_address),
  actor: optional('actor', event.actor),
  reported_by: optional('reported_by', event.reported_by),
  count: event.count
})

const optional = (name: keyof typeof TEXTS, given: string | undefined): string | undefined =>
  given === undefined ? undefined : TEXTS[name](given)

const uuidOrUndefined = (id: string | undefined): string | undefined =>
  id !== undefined && isUuid(id) ? id.toLowerCase() : undefined
