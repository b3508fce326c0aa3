/** The clause of the specification behind each kind of refusal: the page and the anchor on its web site. */
import type { FaultKind } from '../../lib/errors.js'
import type { Revision } from '../revisions.js'
import type { EraName } from './era.js'

/** A place in the specification: a page and an anchor of one revision. */
export interface Clause {
  revision: Revision
  page: string
  anchor: string
}

/** A place in the specification, whatever the revision. */
export type ClauseRef = readonly [page: string, anchor: string]

/* eslint-disable @stylistic/no-multi-spaces, @stylistic/key-spacing, @stylistic/max-len -- a table */
const OLD = 'basic/transports'
const NEW = 'basic/transports/streamable-http'
/** Exported for the test that looks up each page and anchor. */
export const CLAUSES: Record<FaultKind, { legacy: ClauseRef, modern: ClauseRef }> = {
  parse_error:            { legacy: [OLD, 'sending-messages-to-the-server'],             modern: [NEW, 'sending-messages'] },
  invalid_request:        { legacy: ['basic', 'messages'],                               modern: ['basic', 'messages'] },
  method_not_found:       { legacy: ['basic', 'error-responses'],                        modern: ['basic', 'error-codes'] },
  invalid_params:         { legacy: ['server/tools', 'error-handling'],                  modern: ['basic', 'error-codes'] },
  resource_not_found:     { legacy: ['server/resources', 'error-handling'],              modern: ['server/resources', 'error-handling'] },
  internal_error:         { legacy: ['basic', 'error-responses'],                        modern: ['basic', 'error-codes'] },
  header_mismatch:        { legacy: [OLD, 'protocol-version-header'],                    modern: [NEW, 'server-validation'] },
  missing_capability:     { legacy: ['basic/lifecycle', 'capability-negotiation'],       modern: ['basic', 'meta'] },
  unsupported_version:    { legacy: [OLD, 'protocol-version-header'],                    modern: ['basic/versioning', 'protocol-version-negotiation'] },
  foreign_origin:         { legacy: [OLD, 'security-warning'],                           modern: [NEW, 'security-endpoint'] },
  unauthorized:           { legacy: ['basic/authorization', 'token-handling'],           modern: ['basic/authorization', 'token-handling'] },
  forbidden:              { legacy: ['basic/authorization', 'error-handling'],           modern: ['basic/authorization', 'error-handling'] },
  rate_limited:           { legacy: ['server/tools', 'security-considerations'],         modern: ['server/tools', 'security-considerations'] },
  too_many_streams:       { legacy: [OLD, 'multiple-connections'],                       modern: ['basic/patterns/subscriptions', 'multiple-concurrent-subscriptions'] },
  too_many_tasks:         { legacy: ['server/tools', 'security-considerations'],         modern: ['server/tools', 'security-considerations'] },
  method_not_allowed:     { legacy: [OLD, 'listening-for-messages-from-the-server'],     modern: [NEW, 'earlier-streamable-http-revisions'] },
  not_acceptable:         { legacy: [OLD, 'sending-messages-to-the-server'],             modern: [NEW, 'sending-messages'] },
  unsupported_media_type: { legacy: [OLD, 'sending-messages-to-the-server'],             modern: [NEW, 'sending-messages'] },
  content_too_large:      { legacy: [OLD, 'sending-messages-to-the-server'],             modern: [NEW, 'sending-messages'] },
  session_required:       { legacy: [OLD, 'session-management'],                         modern: ['basic', 'statelessness'] },
  session_not_found:      { legacy: [OLD, 'session-management'],                         modern: ['basic', 'statelessness'] },
  unavailable:            { legacy: [OLD, 'sending-messages-to-the-server'],             modern: [NEW, 'sending-messages'] },
  cancelled:              { legacy: ['basic/utilities/cancellation', 'behavior-requirements'], modern: ['basic/patterns/cancellation', 'behavior-requirements'] }
}
/* eslint-enable @stylistic/no-multi-spaces, @stylistic/key-spacing, @stylistic/max-len */

const REVISION = { legacy: '2025-11-25', modern: '2026-07-28' } as const

/** Returns a place as the clause of an era's latest revision. */
export const toClause = ([page, anchor]: ClauseRef, era: EraName): Clause => ({ revision: REVISION[era], page, anchor })

/** Returns the clause for a kind of fault in an era. */
export const clauseOf = (kind: FaultKind, era: EraName): Clause => toClause(CLAUSES[kind][era], era)
