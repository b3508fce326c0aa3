/** Profiles: notifications that arrive while a request waits for its response. */
import type { ClientRequest } from '../proxy/client-request.js'
import { encodeMessages, headersWithoutBody, messagesOf, streamReply } from '../proxy/reply.js'
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { COPING, judgeCoping, judgeRefusing, REFUSING } from './judges.js'
import type { Profile } from './profile.js'
import { isWork } from './targets.js'

type NotificationMessage = { method: string; params?: JsonObject }

const tokenOf = ({ message }: ClientRequest): unknown => {
  const meta = message?.kind === 'request' ? message.params['_meta'] : undefined
  return isObject(meta) ? meta['progressToken'] : undefined
}

interface Notes {
  id: string
  happens: string
  expects: string
  legacy: string
  modern?: string
  /** Returns the notifications that come before the response; undefined where the call does not fit. */
  make(call: ClientRequest, marker: string): readonly NotificationMessage[] | undefined
  illegal?: boolean
}

const notes = ({ id, happens, expects, legacy, modern, make, illegal = false }: Notes): Profile => ({
  id,
  family: 'notifications',
  kind: illegal ? 'illegal' : 'legal',
  eras: modern === undefined ? ['legacy'] : ['legacy', 'modern'],
  level: illegal ? 'SHOULD' : 'MUST',
  legacy,
  ...(modern !== undefined && { modern }),
  happens,
  expects,
  judgedBy: illegal ? REFUSING : COPING,
  create: ({ marker }) => ({
    reply (reply, call, interception) {
      if (
        reply.kind === 'raw' ||
        reply.status !== 200 ||
        !isWork(call) ||
        (call.era === 'modern' && modern === undefined)
      ) {
        return reply
      }
      const notification = make(call, marker)
      if (!notification) return reply
      interception.inject(happens)
      return streamReply(
        encodeMessages(
          (async function * () {
            for (const note of notification) yield { jsonrpc: '2.0', ...note }
            // Progress of the correct server would mix with this.
            for await (const message of messagesOf(reply)) {
              if (message['method'] !== 'notifications/progress') yield message
            }
          })()
        ),
        { headers: headersWithoutBody(reply) }
      )
    },
    judge: (evidence) => (illegal ? judgeRefusing(evidence) : judgeCoping(evidence))
  })
})

const PROGRESS = {
  legacy: 'basic/utilities/progress#progress-flow',
  modern: 'basic/patterns/progress#progress-flow'
} as const
const progress = (call: ClientRequest, steps: readonly JsonObject[]): NotificationMessage[] | undefined => {
  const progressToken = tokenOf(call)
  return progressToken === undefined
    ? undefined
    : steps.map((step) => ({ method: 'notifications/progress', params: { progressToken, ...step } }))
}

export const notifications: readonly Profile[] = [
  notes({
    id: 'list-changed',
    happens: 'notifications about changed lists of tools, resources and prompts come while a request waits',
    expects: 'take them, and take the response',
    legacy: 'server/tools#list-changed-notification',
    make: () => ['tools', 'resources', 'prompts'].map((list) => ({ method: `notifications/${list}/list_changed` }))
  }),
  notes({
    id: 'resource-updated',
    happens: 'a notification about a resource comes that no one subscribed to',
    expects: 'ignore it',
    legacy: 'server/resources#subscriptions',
    make: () => [{ method: 'notifications/resources/updated', params: { uri: 'service://test/unknown' } }]
  }),
  notes({
    id: 'notification-unknown',
    happens: 'a notification of an unknown method comes while a request waits',
    expects: 'ignore it',
    legacy: 'basic#notifications',
    modern: 'basic#notifications',
    make: () => [{ method: 'notifications/x-weather', params: { rain: true } }, { method: 'x/unknown' }]
  }),
  notes({
    id: 'log-messages',
    happens: 'log messages of every level, with data of every type, come while a request waits',
    expects: 'take them, and take the response',
    legacy: 'server/utilities/logging#capabilities',
    make: () =>
      ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'].map((level, index) => ({
        method: 'notifications/message',
        params: { level, data: [null, 1, 'text', { a: 1 }, [1]][index % 5] }
      }))
  }),
  notes({
    id: 'progress-without-total',
    happens: 'progress comes without a total and without a message',
    expects: 'take it',
    ...PROGRESS,
    make: (call) => progress(call, [{ progress: 1 }, { progress: 2.5 }])
  }),
  notes({
    id: 'progress-with-total',
    happens: 'progress comes with a total and a message, and stops short of the total',
    expects: 'take it, and take the response as the end',
    ...PROGRESS,
    make: (call) =>
      progress(call, [
        { progress: 1, total: 10, message: 'one' },
        { progress: 4, total: 10, message: 'four' }
      ])
  }),
  notes({
    id: 'progress-unknown-token',
    illegal: true,
    happens: 'progress comes for a token that was never given',
    expects: 'ignore it',
    ...PROGRESS,
    make: (_call, marker) => [{ method: 'notifications/progress', params: { progressToken: marker, progress: 1 } }]
  }),
  notes({
    id: 'progress-backwards',
    illegal: true,
    happens: 'progress goes back',
    expects: 'take the response all the same',
    ...PROGRESS,
    make: (call) =>
      progress(call, [
        { progress: 5, total: 10 },
        { progress: 2, total: 10 },
        { progress: 2, total: 5 }
      ])
  }),
  notes({
    id: 'cancel-unknown',
    happens: 'the server cancels requests that it never sent',
    expects: 'ignore it',
    legacy: 'basic/utilities/cancellation#error-handling',
    make: () => [
      { method: 'notifications/cancelled', params: { requestId: 'never-sent', reason: 'no reason' } },
      { method: 'notifications/cancelled', params: { requestId: 4711 } }
    ]
  })
]
