/** Events of the audit log as sentences: `Mira Okafor invited lee@example.com`. The code name stands in the details. */
import type { Answer } from '../../api/call.js'
import { sentenceCase } from '../../lib/words.js'

export type AuditRow = Answer<'GET /audit-events'>['audit_events'][number]

/**
 * What was done, by the beginning of the action. `…` is what it was done to, as far as the event names it; else what
 * stands behind `|`, or nothing.
 */
const WORDS: Readonly<Record<string, string>> = {
  'tools/call': 'called …|a tool',
  'resources/read': 'read …|a resource',
  'resources/list': 'listed resources',
  'resources/subscribe': 'subscribed to …|a resource',
  'subscriptions/listen': 'listens to …|changes',
  'completion/complete': 'asked for completions',
  'session/started': 'signed in',
  'session/ended': 'signed out',
  'invitation/accepted': 'accepted an invitation',
  'web/createExploration': 'created …|an exploration',
  'web/makeChanges': 'changed …|an exploration',
  'web/acceptProposal': 'accepted a proposal on …|an exploration',
  'web/dismissProposal': 'dismissed a proposal on …|an exploration',
  'web/answerQuestion': 'answered a question of …|an exploration',
  'web/undoChange': 'undid a change of …|an exploration',
  'web/createWorkspace': 'created the workspace …|',
  'web/updateWorkspace': 'changed the workspace …|',
  'web/setMembership': 'set the role of …|a member',
  'web/removeMembership': 'removed …|a member',
  'web/createKey': 'created the API key …|',
  'web/rotateKey': 'rotated the API key …|',
  'web/testKey': 'tested an API key',
  'web/revokeKey': 'revoked the API key …|',
  'web/createToken': 'created the token …|',
  'web/rotateToken': 'rotated the token …|',
  'web/testToken': 'tested a token',
  'web/revokeToken': 'revoked the token …|',
  'web/approveDevice': 'approved a device',
  'web/denyDevice': 'denied a device',
  'web/decideConsent': 'answered the request of …|an application',
  'web/getConsentRequest': 'looked at the request of an application',
  'web/getConsentError': 'looked at a broken request of an application',
  'web/changeConnection': 'changed what …|an application may do',
  'web/disconnect': 'disconnected …|an application',
  'web/createPerson': 'added …|a person',
  'web/updatePerson': 'changed …|a person',
  'web/deletePerson': 'deleted …|a person',
  'web/createServiceAccount': 'added the service account …|',
  'web/updateServiceAccount': 'changed the service account …|',
  'web/revokeAnyCredential': 'revoked the credential …|',
  'web/importRecords': 'imported records',
  'web/exportRecords': 'exported records',
  'web/updateAccount': 'changed their account',
  'web/getPasskeyCreationOptions': 'began to add a passkey',
  'web/createPasskey': 'added a passkey',
  'web/renamePasskey': 'renamed a passkey',
  'web/deletePasskey': 'removed a passkey',
  'web/endSession': 'signed out elsewhere',
  'web/endOtherSessions': 'signed out everywhere else',
  'web/createInvitation': 'invited …|a person',
  'web/revokeInvitation': 'revoked the invitation of …|a person',
  'user/created': 'added …|a person',
  'membership/set': 'set the role of …|a member',
  'membership/removed': 'removed …|a member',
  'workspace/changed': 'changed the workspace …|',
  'service_account/created': 'added a service account',
  'credential/created': 'created the credential …|',
  'credential/first_used': 'used the credential … for the first time|',
  'credential/revoked': 'revoked the credential …|',
  'credential/expired': 'let the credential … expire|',
  'credential/deleted': 'deleted the credential …|',
  'sign_in_link/created': 'made a sign-in link for …|a person',
  'device/approved': 'approved a device',
  'device/denied': 'denied a device',
  'records/imported': 'imported records',
  'records/exported': 'exported records',
  'plans/imported': 'imported plans',
  'proposal/accepted': 'accepted a proposal on …|an exploration',
  'proposal/dismissed': 'dismissed a proposal on …|an exploration',
  'question/answered': 'answered a question of …|an exploration',
  'history/undone': 'undid a change of …|an exploration',
  'audit/purged': 'deleted old events',
  refused: 'was refused: …|'
}

const FAMILIES: ReadonlyArray<readonly [string, string]> = [
  ['session/', 'Sign-ins and sign-outs'], ['web/', 'All changes in the pages'], ['credential/', 'Credentials']
]

const textOf = (words: string, object: string): string => {
  const [text = '', nothing = ''] = words.split('|')
  return text.replace('…', () => object || nothing).replaceAll(/ {2,}/g, ' ').trim()
}

/** Actions to choose from, by the beginning that the filter takes. */
export const ACTIONS: ReadonlyArray<{ value: string, label: string }> = [
  { value: '', label: 'Any action' },
  ...FAMILIES.map(([value, label]) => ({ value, label })),
  ...Object.entries(WORDS)
    .map(([value, words]) => ({ value, label: sentenceCase(textOf(words, '').replace(/:$/, '')) }))
    .sort((one, other) => one.label.localeCompare(other.label))
    .map(({ value, label }, at, all) => {
      // The same thing done in the pages and by command.
      const isTwice = all.some((other, place) => place !== at && other.label === label)
      return { value, label: isTwice && !value.startsWith('web/') ? `${label} (by command)` : label }
    })
]

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/
const BY_COMMAND = /^(?:user|membership|workspace|records|plans|proposal|question|history|device|sign_in_link)\//

/** Who did it: a command is run by a user of the operating system, about a person. */
const whoOf = ({ action, user, credential, actor }: AuditRow): string => {
  if (BY_COMMAND.test(action) && actor !== undefined) return actor
  return user?.name ?? user?.email ?? actor ?? credential?.name ??
    (user === undefined ? (action.startsWith('refused') ? 'A caller' : 'The server') : 'A removed person')
}

/** What it was done to, in the words of the event. */
const objectOf = (row: AuditRow, name: string, rest: string): string => {
  const { action, subject, exploration, workspace, credential, user } = row
  if (action.startsWith('tools/call')) return exploration?.title ? `${rest} on ${exploration.title}` : rest
  const words = rest.split(' ').filter((word) => !UUID.test(word) && word !== 'of').join(' ')
  if (name === 'web/decideConsent') {
    const [what, client] = words.split(' ')
    return `${client?.replace(/^https:\/\/([^/]+).*/, '$1') ?? 'an application'} (${what})`
  }
  if (/invitation|refused|resources|subscriptions/i.test(name)) return words
  if (/key|token|credential|connect/i.test(name)) return credential?.name ?? ''
  if (/^(?:user|membership|sign_in_link)\//.test(action)) return [user?.email ?? '', words].join(' ').trim()
  if (/workspace/i.test(name)) return [workspace?.name ?? '', words && `(${words})`].join(' ').trim()
  const person = [subject?.email ?? subject?.name ?? '', words && `(${words})`].join(' ').trim()
  return exploration?.title ?? person
}

/** Returns the sentence; for an action without words, who and the action. */
export const sentenceOf = (row: AuditRow): string => {
  const [name = '', ...others] = row.action.split(' ')
  const words = WORDS[name]
  const rest = others.join(' ')
  return `${whoOf(row)} ${words === undefined ? `did ${row.action}` : textOf(words, objectOf(row, name, rest))}`
}
