/** What an exported audit log says was revoked and not given back since. */
import { Refusal } from '../../lib/errors.js'
import { isObject, parseObject } from '../../lib/json/json-object.js'
import { isUuid } from '../../lib/uuid.js'

/** `sessions` and `passkeys`: all of a user at that time; `account`: a user who was deactivated or deleted. */
type Right = 'credential' | 'client' | 'invitation' | 'passkey' | 'passkeys' | 'sessions' | 'account' |
  'administrator' | 'membership'

/** `id`: of the credential, client, invitation or passkey, otherwise the user's; `event`: the id of the event. */
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

type Found = Revocation & { isGiven: boolean }

/**
 * Reads an exported audit log, in the form of the command line or of the page; of each right the latest event counts.
 * What failed, and what a gateway reported, counts for nothing.
 * @throws {Refusal} for a line that is no event, and when there is none
 */
export const readRevocations = async (
  lines: AsyncIterable<{ number: number, bytes: Buffer }>
): Promise<Revocation[]> => {
  const latest = new Map<string, Found>()
  let events = 0
  for await (const { number, bytes } of lines) {
    events++
    const event = parseObject(bytes.toString('utf8'))
    const { action, at } = event ?? {}
    if (!event || typeof action !== 'string' || typeof at !== 'string' || Number.isNaN(Date.parse(at))) {
      throw new Refusal(`Line ${number} is no event of an audit log. ${EXPECTED}`)
    }
    if (event['outcome'] !== 'ok' || event['reported_by'] !== undefined) continue
    for (const found of rightsIn(event, action, at)) {
      const key = `${found.right} ${found.id} ${found.workspace_id}`
      const before = latest.get(key)
      // Of two at the same time, what is taken stays taken.
      if (before && (Date.parse(before.at) - Date.parse(at) || Number(found.isGiven)) > 0) continue
      latest.set(key, found)
    }
  }
  if (events === 0) throw new Refusal(`There is no event. ${EXPECTED}`)
  return [...latest.values()].filter(({ isGiven }) => !isGiven)
}

const EXPECTED = 'Give what "audit --ndjson" printed, or the NDJSON of the page Audit log. Nothing was ended.'

const rightsIn = (event: Record<string, unknown>, action: string, at: string): Found[] =>
  RULES.flatMap(([pattern, right]) => {
    const found = pattern.exec(action)
    const id = found?.groups?.['id'] ?? idOf(event, right === 'credential' ? 'credential' : 'user')
    if (!found || id === undefined || !isUuid(id)) return []
    const number = event['id']
    return {
      right,
      id,
      ...right === 'membership' && { workspace_id: idOf(event, 'workspace') },
      ...typeof number === 'string' && /^\d{1,18}$/.test(number) && { event: number },
      at,
      isGiven: found.groups?.['given'] !== undefined
    }
  })

const idOf = (event: Record<string, unknown>, what: 'credential' | 'user' | 'workspace'): string | undefined => {
  const ofPage = event[what]
  const id = event[`${what}_id`] ?? (isObject(ofPage) ? ofPage['id'] : undefined)
  return typeof id === 'string' && isUuid(id) ? id : undefined
}
