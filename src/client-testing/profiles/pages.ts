/** Profiles: lists in pages. */
import { isRequest, methodOf, paramsOf, type ClientRequest } from '../proxy/exchange.js'
import { errorReply, responseOf, resultReply } from '../proxy/reply.js'
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import {
  breaks, copes, COPING_OR_FAILING, fromFirst, injectedIn, judgeCoping, judgeCopingOrFailing, notExercised
} from './judges.js'
import type { Misbehaviour, ProfileRow } from './profile.js'
import type { Interception } from '../proxy/proxy.js'

const LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts'
}
const NO_LIST = 'The client asked for no list.'
const NO_PAGES = 'The client does not ask for further pages.'
const MAX_PAGES = 200

const onPage = (anchor: string) => {
  const clause = `server/utilities/pagination#${anchor}`
  return { level: 'SHOULD', legacy: clause, modern: clause } as const
}

const cursorOf = (call: ClientRequest): string | undefined => {
  const { cursor } = paramsOf(call)
  return typeof cursor === 'string' ? cursor : undefined
}

/** The correct server's first page, whatever cursor the call has. */
const wholeList = async ({ message }: ClientRequest, turn: Interception): Promise<JsonObject | undefined> => {
  if (message?.kind !== 'request') return undefined
  const { cursor: _, ...params } = message.params
  const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, method: message.method, params })
  const response = await responseOf(await turn.forward({ body }), message.id)
  return isObject(response?.['result']) ? response['result'] : undefined
}

interface Page { items: readonly unknown[], next?: string }

/** Answers lists by `page`, which gets the items of the correct list and the cursor of the call. */
const paged = (
  page: (items: readonly unknown[], cursor: string | undefined) => Page | undefined
): Misbehaviour => ({
  async answer (call, turn) {
    const field = isRequest(call) ? LISTS[methodOf(call) ?? ''] : undefined
    const result = field === undefined ? undefined : await wholeList(call, turn)
    const items = result?.[field ?? '']
    if (field === undefined || !Array.isArray(items)) return undefined
    const answer = page(items, cursorOf(call))
    if (!answer) {
      turn.inject('the cursor has expired')
      const error = { code: -32602, message: 'This cursor has expired.' }
      return errorReply(call, error, call.era === 'modern' ? 400 : 200)
    }
    if (answer.next !== undefined) turn.inject('a list with a next page')
    return resultReply(call, { ...result, [field]: answer.items, nextCursor: answer.next })
  }
})

/** A cursor as servers make them: opaque, and not of letters alone. */
const toCursor = (index: number): string => Buffer.from(`é=${index}&`).toString('base64')
const toIndex = (cursor: string | undefined): number =>
  cursor === undefined ? 0 : Number(/=(\d+)/.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? NaN)

/** Each list that has another page is asked for that page. */
const judgeFollowing = fromFirst(NO_LIST, (_first, _later, evidence) => {
  const cursors = new Set(evidence.exchanges.map(({ call }) => `${methodOf(call)} ${cursorOf(call) ?? ''}`))
  const unfollowed = injectedIn(evidence).find(({ call, reply }) => {
    const [, next] = /"nextCursor":"([^"]*)"/.exec(reply ?? '') ?? []
    return next !== undefined && !cursors.has(`${methodOf(call)} ${next}`)
  })
  const ofProcess = judgeCoping(evidence)
  return unfollowed && ofProcess.status !== 'failed'
    ? breaks(`It did not ask ${methodOf(unfollowed.call)} for the next page.`, unfollowed)
    : ofProcess
})

export const pages: readonly ProfileRow[] = [
  {
    ...onPage('pagination-flow'),
    id: 'pages-of-one',
    kind: 'legal',
    happens: 'each page of a list has one item',
    expects: 'ask for all pages, with the cursors as they are',
    judgedBy: 'each cursor that was given comes back, and the process ends with 0',
    create: () => paged((items, cursor) => {
      const at = toIndex(cursor)
      return Number.isNaN(at)
        ? undefined
        : { items: items.slice(at, at + 1), ...(at + 1 < items.length && { next: toCursor(at + 1) }) }
    }),
    judge: judgeFollowing
  },
  {
    ...onPage('implementation-guidelines'),
    id: 'page-empty',
    kind: 'legal',
    happens: 'the first page of a list is empty and has a cursor',
    expects: 'ask for the next page: only a missing cursor ends a list',
    judgedBy: 'the cursor comes back, and the process ends with 0',
    create: () => paged((items, cursor) => (cursor === undefined ? { items: [], next: toCursor(1) } : { items })),
    judge: judgeFollowing
  },
  {
    ...onPage('error-handling'),
    id: 'cursor-expired',
    kind: 'legal',
    happens: 'the cursor of the second page is refused with -32602',
    expects: 'begin anew or report an error, and go on',
    judgedBy: COPING_OR_FAILING,
    create: () => paged((items, cursor) => cursor === undefined
      ? { items: items.slice(0, 1), ...(items.length > 1 && { next: toCursor(1) }) }
      : undefined),
    judge: (evidence) => evidence.exchanges.some(({ injected }) => injected === 'the cursor has expired')
      ? judgeCopingOrFailing(evidence)
      : notExercised(NO_PAGES)
  },
  {
    ...onPage('implementation-guidelines'),
    id: 'pages-without-end',
    kind: 'illegal',
    happens: 'each page of a list has another cursor, without end',
    expects: 'stop at a limit',
    judgedBy: `at most ${MAX_PAGES} pages of one list are asked for, and the process ends`,
    create () {
      let count = 0
      return paged((items) => count > MAX_PAGES * 2 ? { items } : { items, next: `page-${++count}` })
    },
    judge: fromFirst(NO_LIST, (_first, _later, evidence) => {
      const pages = evidence.exchanges.filter(({ call }) => cursorOf(call) !== undefined)
      if (pages.length > MAX_PAGES) return breaks(`It asked for ${pages.length} pages.`, pages[MAX_PAGES])
      if (pages.length === 0) return notExercised(NO_PAGES)
      const judgement = judgeCopingOrFailing(evidence)
      return judgement.status === 'not-exercised' ? copes('It stopped.', pages.at(-1)) : judgement
    })
  }
]
