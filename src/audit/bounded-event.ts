/** An audit event as it may be kept: what clients wrote holds no credential and has a bound, and ids that name nothing are left out. */
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

/** The same event with texts that every store takes; one event's text must not fail the statement that it shares with others. */
export const boundedEvent = (event: AuditEvent): AuditEvent => ({
  ...event,
  action: text('action', event.action),
  outcome: text('outcome', event.outcome),
  request_id: text('request_id', event.request_id),
  remote_address: text('remote_address', event.remote_address),
  client: optional('client', event.client),
  actor: optional('actor', event.actor),
  reported_by: optional('reported_by', event.reported_by),
  workspace_id: known(event.workspace_id),
  exploration_id: known(event.exploration_id)
})

// Cut first, so that a long text costs little, and again, as a mark may be longer than what it stands for. What is cut off may have been
// the end of a credential, whose beginning is a credential to redactText too.
const text = (name: Text, given: string): string =>
  sanitizeText(redactText(given.slice(0, 2 * MAX_LENGTHS[name])).slice(0, MAX_LENGTHS[name]))

const optional = (name: Text, given: string | undefined): string | undefined =>
  given === undefined ? undefined : text(name, given)

const known = (id: string | undefined): string | undefined =>
  id !== undefined && isUuid(id) ? id.toLowerCase() : undefined
