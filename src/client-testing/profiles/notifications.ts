/** Profiles: notifications that arrive while a request waits for its response. */
import { metaOf, type ClientRequest } from '../proxy/client-request.js'
import { messagesOf, withStream } from '../proxy/reply.js'
import type { JsonObject } from '../../lib/json/json-object.js'
import { ILLEGAL, LEGAL } from './judges.js'
import type { Profile } from './profile.js'
import { changeReplies, isWork } from './targets.js'

type NotificationMessage = { method: string; params?: JsonObject }

interface Notes extends Pick<Profile, 'id' | 'happens' | 'expects'> {
  legacy: string
  modern?: string
  /** Returns the notifications that come before the response; undefined where the call does not fit. */
  make(call: ClientRequest, marker: string): readonly NotificationMessage[] | undefined
  illegal?: boolean
}

const notes = ({ make, illegal = false, ...rest }: Notes): Profile => ({
  ...(illegal ? ILLEGAL : LEGAL),
  ...rest,
  family: 'notifications',
  eras: rest.modern === undefined ? ['legacy'] : ['legacy', 'modern'],
  level: illegal ? 'SHOULD' : 'MUST',
  create: ({ marker }) => changeReplies(rest.happens, (reply, call) => {
    if (!isWork(call) || (call.era === 'modern' && rest.modern === undefined)) return undefined
    const notifications = make(call, marker)
    return notifications && withStream(reply, (async function * () {
      for (const note of notifications) yield { jsonrpc: '2.0', ...note }
      // Progress of the correct server would mix with this.
      for await (const message of messagesOf(reply)) {
        if (message['method'] !== 'notifications/progress') yield message
      }
    })())
  })
})

const PROGRESS = {
  legacy: 'basic/utilities/progress#progress-flow',
  modern: 'basic/patterns/progress#progress-flow'
} as const
const progress = (call: ClientRequest, steps: readonly JsonObject[]): NotificationMessage[] | undefined => {
  const { progressToken } = metaOf(call)
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
