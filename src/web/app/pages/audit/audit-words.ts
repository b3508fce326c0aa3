/** Events of the audit log as sentences: `Mira Okafor invited lee@example.com`. The code name stands in the details. */
import type { Answer } from '../../api/call.js'
import { sentenceCase } from '../../lib/words.js'

export type AuditRow = Answer<'GET /audit-events'>['audit_events'][number]

/** What was done; `…` is what it was done to, where the event names it. Other actions are read by their parts. */
const WORDS: Readonly<Record<string, string>> = {
  'tools/call': 'called …',
  'resources/read': 'read …',
  'resources/list': 'listed resources',
  'resources/subscribe': 'subscribed to …',
  'subscriptions/listen': 'listens to …',
  'completion/complete': 'asked for completions',
  'session/started': 'signed in',
  'session/ended': 'signed out',
  'invitation/accepted': 'accepted an invitation',
  'web/createInvitation': 'invited …',
  'web/revokeInvitation': 'revoked the invitation of …',
  'web/makeChanges': 'changed …',
  'web/importRecords': 'imported records …',
  'web/acceptProposal': 'accepted a proposal on …',
  'web/dismissProposal': 'dismissed a proposal on …',
  'web/answerQuestion': 'answered a question of …',
  'web/undoChange': 'undid a change of …',
  'web/setMembership': 'set the role of …',
  'web/removeMembership': 'removed the role of …',
  'web/revokeAnyCredential': 'revoked the credential …',
  'web/decideConsent': 'answered the request of …',
  'web/getConsentRequest': 'looked at the request of an application',
  'web/getConsentError': 'looked at a broken request of an application',
  'web/changeConnection': 'changed what … may do',
  'web/disconnect': 'disconnected …',
  'web/getPasskeyCreationOptions': 'began to add a passkey',
  'web/endOtherSessions': 'signed out everywhere else',
  'credential/first_used': 'used the credential … for the first time',
  'sign_in_link/created': 'made a sign-in link for …',
  'membership/set': 'set the role of …',
  refused: 'was refused: …'
}

const PAST: Readonly<Record<string, string>> = { deny: 'denied', set: 'set', undo: 'undid' }
const pastOf = (verb: string): string => PAST[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`)

/** `web/createServiceAccount` → `created the service account …`, `user/created` → `created the user …` */
const readAction = (name: string): string | undefined => {
  const [, verb, noun] = /^web\/([a-z]+)([A-Z]\w*)$/.exec(name) ?? []
  const [, thing, participle] = /^([\w-]+)\/(\w+)$/.exec(name) ?? []
  if (verb !== undefined && noun !== undefined) {
    return `${pastOf(verb)} the ${noun.replaceAll(/(?<!^)[A-Z]/g, ' $&').toLowerCase()} …`
  }
  return thing && participle && `${participle} the ${thing.replaceAll(/[_-]/g, ' ')} …`
}

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g
const BY_COMMAND = /^(?!tools|resources|subscriptions|completion|session|invitation|web|credential)[\w-]+\//

/** Who did it: a command is run by a user of the operating system, about a person. */
const whoOf = ({ action, user, credential, actor }: AuditRow): string =>
  (BY_COMMAND.test(action) ? actor : undefined) ?? user?.name ?? user?.email ?? actor ?? credential?.name ??
    (user !== undefined ? 'A removed person' : action.startsWith('refused') ? 'A caller' : 'The server')

const objectOf = ({ action, subject, exploration, workspace, credential, user }: AuditRow): string => {
  const [name = '', ...rest] = action.split(' ')
  const words = rest.join(' ').replaceAll(UUID, '').replaceAll(/^ *of | of *$/g, '').trim()
  if (name === 'tools/call') return exploration?.title === undefined ? words : `${words} on ${exploration.title}`
  if (name === 'web/decideConsent') {
    return `${/https:\/\/([^/ ]+)/.exec(words)?.[1] ?? 'an application'} (${rest[0]})`
  }
  if (/invitation|refused|resources|subscriptions/i.test(name)) return words
  if (/key|token|credential|connect/i.test(name)) return credential?.name ?? ''
  const about = BY_COMMAND.test(name) ? user?.email : subject?.email ?? subject?.name
  const object = about ?? exploration?.title ?? workspace?.name ?? ''
  return `${object} ${words && `(${words})`}`.trim()
}

/** Returns what was done, with `…` for what it was done to. */
export const wordsOf = (action: string): string => {
  const [name = ''] = action.split(' ')
  return WORDS[name] ?? readAction(name) ?? `did ${action}`
}

/** Returns the sentence; for an action without words, who and the action. */
export const sentenceOf = (row: AuditRow): string =>
  `${whoOf(row)} ${wordsOf(row.action).replace('…', () => objectOf(row))}`.replaceAll(/ {2,}/g, ' ').trim()

/** Actions to choose from, by the beginning that the filter takes. */
export const ACTIONS: ReadonlyArray<{ value: string, label: string }> = [
  { value: '', label: 'Any action' },
  { value: 'session/', label: 'Sign-ins and sign-outs' },
  { value: 'web/', label: 'All changes in the pages' },
  { value: 'credential/', label: 'Life of credentials' },
  ...[
    ...Object.keys(WORDS), 'web/createKey', 'web/revokeKey', 'web/createToken', 'web/revokeToken', 'web/approveDevice',
    'web/createPerson', 'web/updatePerson', 'web/deletePerson', 'web/createWorkspace', 'web/updateWorkspace',
    'web/importRecords', 'web/exportRecords', 'user/created', 'membership/removed', 'workspace/changed',
    'records/imported', 'plans/imported', 'audit/purged'
  ].map((value) => ({ value, label: sentenceCase((WORDS[value] ?? readAction(value) ?? value).replace(/:? …/, ' …')) }))
    .sort((one, other) => one.label.localeCompare(other.label))
]
