/** The one write path, for calls of tools: access, key, change, history and audit row in one transaction. */
import { createHash } from 'node:crypto'
import type { AuditEntry } from '../../engine/audit-entry.js'
import { allows, type UserPrincipal } from '../../lib/principal.js'
import { forbidden, insufficientScope } from '../../lib/errors.js'
import { sortKeys } from '../../lib/json/json-object.js'
import { redactText } from '../../lib/redact/redact.js'
import { sanitizeText } from '../../lib/text/text.js'
import { mayWriteAs, NO_WRITING_ROLE, WRITING_SCOPE } from '../agent-policy.js'
import { Change } from './change.js'
import type { Actor, Answer, AuditedEvent, ChangeStore, InTransaction, WriteAccess } from './change-store.js'
import type { AgentCall } from './ports.js'
import { supersede } from './proposals.js'
import type { HistoryKind } from './records.js'
import { agentsReadOnly, unknownExploration, WriteRefusal } from './refusals.js'

const MAX_KEYS = 100_000

/** Credentials by their usual forms, which are not kept. */
const FORMS = [
  // GitHub, AWS, Slack, JSON Web Tokens, private keys
  /\b(?:gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  // From the full stop, so that a text of many beginnings is read once.
  /\.(?<=\beyJ[\w-]{8,}\.)eyJ[\w-]{8,}\.[\w-]+/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/
]

/** Whether the text has one of these, or a credential of this server, also encoded. */
export const hasSecret = (text: string): boolean => FORMS.some((form) => form.test(text)) || redactText(text) !== text

export type ToEvent = (entry: AuditEntry<UserPrincipal>) => AuditedEvent

/** @throws {WriteRefusal} for what the model can mend, {Fault} `forbidden` when the caller may not write there */
export const byAgent = (inTransaction: InTransaction, toEvent: ToEvent) => async (
  call: AgentCall, work: (change: Change) => Promise<Answer>
): Promise<Answer> => {
  const { principal: { user, credential }, tool, client, exploration, input, uriScheme, auditWithin } = call
  const actor: Actor = { user, credential, client, tool }
  return await auditWithin((entryOf) => inTransaction(exploration, async (store) => {
    const { workspace, access } = await requireAccess(store, actor)
    requireWriting(access)
    refuseSecrets(input)
    const write = async (): Promise<Answer> => {
      const change = new Change(store, actor, {
        exploration, workspace, policy: access.agents, ends: access.ends, uriScheme
      })
      const made = await work(change)
      await finish(change)
      if (input.idempotency_key !== undefined) await store.keepAnswer(credential.id, input.idempotency_key, made)
      return made
    }
    const answer = await takeKey(store, credential.id, tool, input) ?? await write()
    await store.writeAudit(toEvent(entryOf()))
    return answer
  }))
}

/** Kinds of records whose texts are found at once, not by the next upkeep of the index. */
const SEARCHED: ReadonlySet<HistoryKind> = new Set(['exploration', 'package'])

/** Supersedes the proposals that no longer hold, and writes the history. Returns the ids of its rows. */
export const finish = async (change: Change): Promise<string[]> => {
  await supersede(change, change.rows)
  if (change.rows.some(({ kind }) => SEARCHED.has(kind))) await change.store.indexWords()
  return await change.writeHistory()
}

/** Locks the exploration, unless it is new. @throws {Refusal} when there is none, {Fault} without access */
export const requireAccess = async (
  store: ChangeStore, actor: Actor, newIn?: string
): Promise<{ workspace: string, access: WriteAccess }> => {
  const place = newIn === undefined ? await store.lock() : { workspace: newIn }
  if (!place) throw unknownExploration()
  const access = await store.access(place.workspace, actor)
  if (!access) throw forbidden('This credential can no longer see the workspace.', 'Ask an admin of the workspace.')
  return { workspace: place.workspace, access }
}

const requireWriting = ({ agents, role, scope, name }: WriteAccess): void => {
  if (scope !== null && !allows(scope, WRITING_SCOPE)) throw insufficientScope(WRITING_SCOPE)
  if (!mayWriteAs({ role })) throw forbidden(NO_WRITING_ROLE.message, NO_WRITING_ROLE.hint)
  if (agents === 'read') throw agentsReadOnly(name)
}

const refuseSecrets = (input: unknown): void => {
  if (!hasSecret(JSON.stringify(input))) return
  throw new WriteRefusal('secret_in_text', 'The text has a credential in it, which is not kept here. Leave it ' +
    'out, and replace that credential if others may have seen it.')
}

/** Returns the answer that was kept under the key of the call. @throws {WriteRefusal} for another call's key */
const takeKey = async (
  store: ChangeStore, credential: string, tool: string, { idempotency_key: key, ...input }: AgentCall['input']
): Promise<Answer | undefined> => {
  if (key === undefined) return undefined
  const digest = createHash('sha256').update(JSON.stringify([tool, sortKeys(input)])).digest('hex')
  // With one call in 256: to count so many takes longer than the write.
  if (digest.startsWith('00') && await store.count('keys', credential, MAX_KEYS) >= MAX_KEYS) {
    throw new WriteRefusal('too_many_open', `This credential has ${MAX_KEYS} idempotency keys of the last 7 days.`)
  }
  const kept = await store.takeKey(credential, key, digest)
  if (!kept) return undefined
  if (kept.digest === digest) return kept.answer
  throw new WriteRefusal('idempotency_conflict', 'This idempotency_key was used with other arguments: use a new one ' +
    'for each new call.')
}

/** The same arguments with texts that every database takes. */
export const storable = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (_key, part: unknown) => typeof part === 'string' ? sanitizeText(part) : part))
