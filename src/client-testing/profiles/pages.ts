/** Profiles: lists in pages. */
import { idOf, methodOf, type ClientRequest } from '../proxy/client-request.js'
import { errorReply, jsonReply, responseOf } from '../proxy/reply.js'
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { COPING_OR_FAILING, fail, injectedIn, judgeCoping, notExercised, pass } from './judges.js'
import type { Evidence, Judgement, Misbehaviour, Profile } from './profile.js'
import { isList, LISTS } from './targets.js'
import type { Interception } from '../proxy/proxy.js'

const common = {
  family: 'pages',
  eras: ['legacy', 'modern'],
  legacy: 'server/utilities/pagination#pagination-flow',
  modern: 'server/utilities/pagination#pagination-flow'
} as const
const GUIDELINES = 'server/utilities/pagination#implementation-guidelines'

const cursorOf = ({ message }: Pick<ClientRequest, 'message'>): string | undefined => {
  const cursor = message?.kind === 'request' ? message.params['cursor'] : undefined
  return typeof cursor === 'string' ? cursor : undefined
}

/** The correct server's first page, whatever cursor the call has. */
const wholeList = async (call: ClientRequest, interception: Interception): Promise<JsonObject | undefined> => {
  const { message } = call
  if (message?.kind !== 'request') return undefined
  const { cursor: _, ...params } = message.params
  const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, method: message.method, params })
  const response = await responseOf(await interception.forward({ body }), message.id)
  return isObject(response?.['result']) ? response['result'] : undefined
}

/** Answers lists by `page`, which gets the items of the correct list and the cursor of the call. */
const paged =
  (
    page: (
      items: readonly unknown[],
      cursor: string | undefined
    ) => { items: readonly unknown[]; next?: string } | undefined
  ): NonNullable<Misbehaviour['answer']> =>
    async (call, interception) => {
      const field = LISTS[methodOf(call) ?? '']
      if (!isList(call) || field === undefined) return undefined
      const result = await wholeList(call, interception)
      const items = result?.[field]
      if (!result || !Array.isArray(items)) return undefined
      const answer = page(items, cursorOf(call))
      if (!answer) {
        interception.inject('the cursor has expired')
        const error = { code: -32602, message: 'This cursor has expired.' }
        return errorReply(idOf(call), error, call.era === 'modern' ? 400 : 200)
      }
      if (answer.next !== undefined) interception.inject('a list with a next page')
      const { nextCursor: _, ...rest } = result
      return jsonReply({
        jsonrpc: '2.0',
        id: idOf(call),
        result: { ...rest, [field]: answer.items, ...(answer.next !== undefined && { nextCursor: answer.next }) }
      })
    }

/** A cursor as servers make them: opaque, and not of letters alone. */
const toCursor = (index: number): string => Buffer.from(`é=${index}&`).toString('base64')
const toIndex = (cursor: string | undefined): number =>
  cursor === undefined ? 0 : Number(/=(\d+)/.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? NaN)

/** Each list that has another page is asked for that page. */
const judgeFollowing = (evidence: Evidence): Judgement => {
  const lists = injectedIn(evidence)
  const [first] = lists
  if (!first) return notExercised('The client asked for no list.')
  const cursors = new Set(evidence.exchanges.map(({ call }) => `${methodOf(call)} ${cursorOf(call) ?? ''}`))
  for (const { number, call, reply } of lists) {
    const [, next] = /"nextCursor":"([^"]*)"/.exec(reply ?? '') ?? []
    if (next !== undefined && !cursors.has(`${methodOf(call)} ${next}`)) {
      const process = judgeCoping(evidence)
      return process.status === 'failed'
        ? process
        : fail('breaks the rule', `It did not ask ${methodOf(call)} for the next page.`, number)
    }
  }
  return judgeCoping(evidence)
}

const MAX_PAGES = 200

const endless: Profile = {
  ...common,
  id: 'pages-without-end',
  kind: 'illegal',
  level: 'SHOULD',
  legacy: GUIDELINES,
  modern: GUIDELINES,
  happens: 'each page of a list has another cursor, without end',
  expects: 'stop at a limit',
  judgedBy: `at most ${MAX_PAGES} pages of one list are asked for, and the process ends`,
  create: () => {
    let count = 0
    return {
      answer: async (call, interception) => {
        if (!isList(call) || count > MAX_PAGES * 2) return undefined
        return paged((items) => ({ items, next: `page-${++count}` }))(call, interception)
      },
      judge (evidence) {
        const [first] = injectedIn(evidence)
        if (!first) return notExercised('The client asked for no list.')
        const pages = evidence.exchanges.filter(({ call }) => cursorOf(call) !== undefined)
        if (pages.length > MAX_PAGES) {
          return fail('breaks the rule', `It asked for ${pages.length} pages.`, pages[MAX_PAGES]?.number)
        }
        if (pages.length === 0) return notExercised('The client does not ask for further pages.')
        const judgement = judgeCoping(evidence, { mayFail: true })
        return judgement.status === 'not-exercised' ? pass('copes', 'It stopped.', pages.at(-1)?.number) : judgement
      }
    }
  }
}

export const pages: readonly Profile[] = [
  {
    ...common,
    id: 'pages-of-one',
    kind: 'legal',
    level: 'SHOULD',
    happens: 'each page of a list has one item',
    expects: 'ask for all pages, with the cursors as they are',
    judgedBy: 'each cursor that was given comes back, and the process ends with 0',
    create: () => ({
      answer: paged((items, cursor) => {
        const at = toIndex(cursor)
        return Number.isNaN(at)
          ? undefined
          : { items: items.slice(at, at + 1), ...(at + 1 < items.length && { next: toCursor(at + 1) }) }
      }),
      judge: judgeFollowing
    })
  },
  {
    ...common,
    id: 'page-empty',
    kind: 'legal',
    level: 'SHOULD',
    legacy: GUIDELINES,
    modern: GUIDELINES,
    happens: 'the first page of a list is empty and has a cursor',
    expects: 'ask for the next page: only a missing cursor ends a list',
    judgedBy: 'the cursor comes back, and the process ends with 0',
    create: () => ({
      answer: paged((items, cursor) => (cursor === undefined ? { items: [], next: toCursor(1) } : { items })),
      judge: judgeFollowing
    })
  },
  {
    ...common,
    id: 'cursor-expired',
    kind: 'legal',
    level: 'SHOULD',
    legacy: 'server/utilities/pagination#error-handling',
    modern: 'server/utilities/pagination#error-handling',
    happens: 'the cursor of the second page is refused with -32602',
    expects: 'begin anew or report an error, and go on',
    judgedBy: COPING_OR_FAILING,
    create: () => ({
      answer: paged((items, cursor) =>
        cursor === undefined ? { items: items.slice(0, 1), ...(items.length > 1 && { next: toCursor(1) }) } : undefined
      ),
      judge (evidence) {
        const refusal = evidence.exchanges.find(({ injected }) => injected === 'the cursor has expired')
        return refusal
          ? judgeCoping(evidence, { mayFail: true })
          : notExercised('The client does not ask for further pages.')
      }
    })
  },
  endless
]
