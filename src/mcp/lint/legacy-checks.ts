/** What holds inside a legacy conversation: the handshake, its session, and what went over it before. */
import { isAnswer } from '../input-request.js'
import { has, hasBatches, isLegacyRevision, type LegacyRevision } from '../revisions.js'
import { isObject } from '../jsonrpc/parse.js'
import type { Message, Request, Response } from '../jsonrpc/message.js'
import { remember } from '../../lib/lru.js'
import type { Caller, Say } from './reporter.js'
import { newConversation, type AnswerSummary, type Conversation, type Declared } from './legacy-session-state.js'
import { tokenOf } from './request-checks.js'
import { digest, nameOf, replyTo, type Seen } from './parsed-exchange.js'

export interface LegacyMemory {
  /** By the digest of the session's id. */
  conversations: Map<string, Conversation>
}

const MOST_CONVERSATIONS = 2000
const MOST_IDS = 1000
const MOST_TOKENS = 200
const MOST_ANSWERS = 200
/** Ids, tokens and answers of all conversations together: each takes about 150 bytes. The oldest conversation makes room. */
const MOST_ENTRIES = 200_000

/** The conversation that an exchange belongs to, if it is known. */
export const conversationOf = ({ conversations }: LegacyMemory, seen: Seen): Conversation | undefined => {
  const id = seen.header('mcp-session-id')
  return id === undefined ? undefined : conversations.get(digest(id))
}

export const checkLegacy = (memory: LegacyMemory, seen: Seen, caller: Caller, say: Say): void => {
  const messages = (seen.messages ?? []).flatMap(({ parsed }) => parsed.kind === 'fault' ? [] : [parsed])
  const handshake = seen.isBatch ? undefined : messages.find((message): message is Request => message.kind === 'request' && message.method === 'initialize')
  if (handshake) return checkHandshake(memory, seen, handshake, caller, say)
  const conversation = placed(memory, seen, caller, say)
  const revision = conversation?.revision
  if (seen.isBatch && (revision ? !hasBatches(revision) : seen.status === 400)) say('batch-sent', `${seen.messages?.length} messages`)
  if (!conversation) return
  checkVersion(seen, conversation, say)
  for (const message of messages) checkMessage(seen, message, conversation, say)
  checkQuestions(seen, conversation, say)
  makeRoom(memory)
}

const entriesOf = ({ ids, tokens, answers }: Conversation): number => ids.size + tokens.size + answers.size

/** Lets go of what the conversations that were longest silent have said. */
const makeRoom = ({ conversations }: LegacyMemory): void => {
  let entries = 0
  for (const conversation of conversations.values()) entries += entriesOf(conversation)
  for (const [key, conversation] of conversations) {
    if (entries <= MOST_ENTRIES) return
    entries -= entriesOf(conversation)
    for (const entry of [conversation.ids, conversation.tokens, conversation.answers]) entry.clear()
    conversations.delete(key)
  }
}

const checkHandshake = ({ conversations }: LegacyMemory, seen: Seen, { id, params }: Request, caller: Caller, say: Say): void => {
  const { clientInfo: info, capabilities, protocolVersion: version } = params
  if (seen.header('mcp-session-id') !== undefined) say('initialize-with-session', 'initialize')
  const named = isObject(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string'
  if (!named || !isObject(capabilities) || typeof version !== 'string') say('initialize-incomplete', Object.keys(params).join(', '))
  const { result } = replyTo(seen, id)
  if (!result) return
  const { protocolVersion: revision } = result
  if (!isLegacyRevision(revision)) return
  if (!caller.client.revisions.includes(revision)) caller.client.revisions.push(revision)
  const conversation = newConversation(caller.client, {
    revision,
    declared: declaredIn(isObject(capabilities) ? capabilities : {}),
    initializeId: digest(id),
    lastEnd: seen.end,
    lastRequest: { id: seen.requestId, listened: false },
    ids: new Map([[digest(id), true]])
  })
  const session = seen.replyHeaders['mcp-session-id']
  caller.shaken = true
  caller.session = typeof session === 'string' ? conversation : undefined
  if (typeof session !== 'string') return
  caller.client.sessions.opened++
  remember(conversations, digest(session), conversation, MOST_CONVERSATIONS)
}

/** The conversation of an exchange after the handshake, and what is wrong with how it names it. */
const placed = ({ conversations }: LegacyMemory, seen: Seen, caller: Caller, say: Say): Conversation | undefined => {
  const { method, status, header } = seen
  const id = header('mcp-session-id')
  if (id === undefined) {
    if (caller.session) say('session-lost', method)
    else if (!caller.shaken && seen.messages?.some(({ parsed }) => parsed.kind !== 'fault')) say('before-handshake', nameOf(seen))
    return undefined
  }
  if (seen.credential === undefined) return undefined
  const key = digest(id)
  const known = conversations.get(key)
  // A session may be older than the observer: what it cannot know of it counts as done.
  const conversation = remember(conversations, key, known ??
    newConversation(caller.client, { initializedAt: 0, revision: versionIn(seen) }), MOST_CONVERSATIONS)
  if (conversation.goneAt !== undefined && seen.at > conversation.goneAt) say('session-not-renewed', nameOf(seen))
  const ended = method === 'DELETE' && status < 300
  if (ended) conversation.client.sessions.ended++
  if (status === 404 || ended) {
    conversation.goneAt ??= seen.end
    if (caller.session === conversation) caller.session = undefined
  }
  conversation.lastEnd = Math.max(conversation.lastEnd, seen.end)
  conversation.lastRequest = { id: seen.requestId, listened: method === 'GET' && status === 200 }
  return status === 404 ? undefined : conversation
}

const checkVersion = (seen: Seen, { revision }: Conversation, say: Say): void => {
  if (revision === undefined || !has(revision, 'versionHeader')) return
  const given = seen.header('mcp-protocol-version')
  if (given === undefined) say('protocol-version-missing', nameOf(seen))
  else if (given !== revision) say('protocol-version-mismatch', `${given} in place of ${revision}`)
}

const checkMessage = (seen: Seen, message: Message, conversation: Conversation, say: Say): void => {
  const { declared, initializeId, ids, tokens, answers } = conversation
  if (message.kind === 'response') {
    if (declared && !declared.answersRequests) say('response-undeclared', String(message.id))
    else remember(answers, digest(message.id), summaryOf(message), MOST_ANSWERS)
    return
  }
  const { method, params } = message
  if (message.kind === 'notification') {
    if (method === 'notifications/initialized') conversation.initializedAt ??= seen.at
    if (method === 'notifications/cancelled' && initializeId !== undefined && digest(params['requestId']) === initializeId) say('initialize-cancelled', method)
    if (method === 'notifications/roots/list_changed' && declared && !declared.rootsListChanged) say('notification-undeclared', method)
    return
  }
  if (method.startsWith('notifications/')) return
  const late = conversation.initializedAt === undefined || conversation.initializedAt > seen.at
  if (late && method !== 'ping') say('initialized-missing', method)
  const id = digest(message.id)
  if (ids.has(id)) say('id-reused', `${method}, id ${JSON.stringify(message.id)}`)
  remember(ids, id, true, MOST_IDS)
  const token = tokenOf(params)
  if (token === undefined) return
  const name = digest(token)
  const other = tokens.get(name)
  if (other && other.from < seen.end && other.to > seen.at) say('progress-token-reused', `${method}, token ${JSON.stringify(token)}`)
  remember(tokens, name, { from: seen.at, to: seen.end }, MOST_TOKENS)
}

/** Once the server has given its result, whatever it asked on the way should have been answered. */
const checkQuestions = (seen: Seen, { answers }: Conversation, say: Say): void => {
  const over = seen.replies.some((message) => !('method' in message) && ('result' in message || 'error' in message))
  if (!over) return
  for (const { id, method } of seen.replies) {
    if (id === undefined || typeof method !== 'string') continue
    const answer = answers.get(digest(id))
    answers.delete(digest(id))
    if (!answer) say('request-unanswered', method)
    else if (!answer.isError && method !== 'ping' && !answer.fits.has(ASKED.has(method) ? method : OTHER)) say('response-malformed', method)
  }
}

/** What a server may ask a client. */
const ASKED = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'])
const OTHER = ''

const summaryOf = ({ result, error }: Response): AnswerSummary =>
  ({ isError: error !== undefined, fits: new Set([...ASKED, OTHER].filter((method) => isAnswer(method, result))) })

const declaredIn = (capabilities: Readonly<Record<string, unknown>>): Declared => {
  const { roots } = capabilities
  return {
    answersRequests: ['elicitation', 'sampling', 'roots'].some((name) => isObject(capabilities[name])),
    rootsListChanged: isObject(roots) && roots['listChanged'] === true
  }
}

const versionIn = (seen: Seen): LegacyRevision | undefined => {
  const given = seen.header('mcp-protocol-version')
  return isLegacyRevision(given) ? given : undefined
}
