/** What an exported audit log says was revoked and not given back since. */
import { Refusal } from '../../lib/errors.js'
import { isObject, parseObject } from '../../lib/json/json-object.js'
import { isUuid } from '../../lib/uuid.js'

/**
 * `sessions` and `passkeys` are all of a user that there were at that time, `passkey` is one; `account` is a user who
 * was deactivated or deleted.
 */
type Right = 'credential' | 'client' | 'invitation' | 'passkey' | 'passkeys' | 'sessions' | 'account' |
  'administrator' | 'membership'

/**
 * `id` is that of the credential, client, invitation or passkey; otherwise the user's. `event` is the id of the event,
 * and `at` its time (RFC 3339).
 */
export interface Revocation { right: Right, id: string, workspace_id?: string | undefined, event?: string, at: string }

// `id` where the action names it; `given` where the right is given back.
const RULES: ReadonlyArray<[action: RegExp, right: Right]> = [
  [/^credential\/(?:revoked|deleted)$/, 'credential'],
  [/^oauth-client\/revoked (?<id>\S+)/, 'client'],
  [/^web\/revokeInvitation (?<id>\S+)/, 'invitation'],
  [/^web\/deletePasskey (?<id>\S+)/, 'passkey'],
  [/^user\/signed out, passkeys removed$/, 'passkeys'],
  [/^(?:session\/ended|user\/signed out|web\/endSession|web\/endOtherSessions)/, 'sessions'],
  [/^user\/(?:deactivated|(?<given>activated))$/, 'account'],
  [/^web\/deletePerson (?<id>\S+)/, 'account'],
  [/^web\/update(?:Person|ServiceAccount) (?<id>\S+).* deactivated=(?:true|(?<given>false))/, 'account'],
  [/^user\/(?:no|(?<given>made)) server administrator/, 'administrator'],
  [/^web\/updatePerson (?<id>\S+).* server_admin=(?:false|(?<given>true))/, 'administrator'],
  [/^membership\/(?:removed|(?<given>set))/, 'membership'],
  [/^web\/(?:removeMembership|(?<given>setMembership)) (?<id>\S+)/, 'membership']
]

/** Of each right, the latest event about it counts. */
export class Revocations {
  readonly #latest = new Map<string, Revocation & { isGiven: boolean }>()

  /**
   * Reads an event, in the form of the command line's export or of the page's. What failed, and what a gateway
   * reported, counts for nothing.
   * @returns false when it is no event of the audit log
   */
  add (line: string): boolean {
    const event = parseObject(line)
    const { action, at, outcome, id: number } = event ?? {}
    if (!event || typeof action !== 'string' || typeof at !== 'string' || Number.isNaN(Date.parse(at))) return false
    if (outcome !== 'ok' || event['reported_by'] !== undefined) return true
    for (const [pattern, right] of RULES) {
      const found = pattern.exec(action)
      if (!found) continue
      const id = found.groups?.['id'] ?? idOf(event, right === 'credential' ? 'credential' : 'user')
      const workspace = right === 'membership' ? idOf(event, 'workspace') : undefined
      if (id === undefined || !isUuid(id)) continue
      const key = `${right} ${id} ${workspace}`
      const before = this.#latest.get(key)
      const isGiven = found.groups?.['given'] !== undefined
      // Of two at the same time, what is taken stays taken.
      if (before && (Date.parse(before.at) - Date.parse(at) || Number(isGiven)) > 0) continue
      const ofEvent = typeof number === 'string' && /^\d{1,18}$/.test(number) ? { event: number, at } : { at }
      this.#latest.set(key, { right, id, workspace_id: workspace, isGiven, ...ofEvent })
    }
    return true
  }

  list (): Revocation[] {
    return [...this.#latest.values()].filter(({ isGiven }) => !isGiven)
  }
}

const idOf = (event: Record<string, unknown>, what: 'credential' | 'user' | 'workspace'): string | undefined => {
  const ofPage = event[what]
  const id = event[`${what}_id`] ?? (isObject(ofPage) ? ofPage['id'] : undefined)
  return typeof id === 'string' && isUuid(id) ? id : undefined
}

/**
 * Reads an exported audit log, line by line.
 * @throws {Refusal} for a line that is no event, and when there is none
 */
export const readRevocations = async (
  lines: AsyncIterable<{ number: number, bytes: Buffer }>
): Promise<Revocation[]> => {
  const revocations = new Revocations()
  let events = 0
  for await (const { number, bytes } of lines) {
    events++
    if (!revocations.add(bytes.toString('utf8'))) {
      throw new Refusal(`Line ${number} is no event of an audit log. ${EXPECTED}`)
    }
  }
  if (events === 0) throw new Refusal(`There is no event. ${EXPECTED}`)
  return revocations.list()
}

const EXPECTED = 'Give what "audit --ndjson" printed, or the NDJSON of the page Audit log. Nothing was ended.'
