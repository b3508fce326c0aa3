/** Profiles: notifications that arrive while a request waits for its response. */
import { metaOf, type ClientRequest } from '../proxy/exchange.js'
import { messagesOf, withStream } from '../proxy/reply.js'
import type { JsonObject } from '../../lib/json/json-object.js'
import { ILLEGAL, LEGAL } from './judges.js'
import type { ProfileRow } from './profile.js'
import { changeReplies, isWork } from './targets.js'

type NotificationMessage = { method: string; params?: JsonObject }

/** `make` returns the notifications that come before the response; undefined where the call does not fit. */
const notes = (
  form: typeof LEGAL | typeof ILLEGAL, id: string, happens: string, expects: string,
  { legacy, modern }: { legacy: string, modern?: string },
  make: (call: ClientRequest, marker: string) => readonly NotificationMessage[] | undefined
): ProfileRow => ({
  ...form,
  id,
  happens,
  expects,
  legacy,
  modern,
  level: form.kind === 'legal' ? 'MUST' : 'SHOULD',
  create: ({ marker }) => changeReplies(happens, (reply, call) => {
    if (!isWork(call) || (call.era === 'modern' && modern === undefined)) return undefined
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
  legacy: 'basic/utilities/progress#progress-flow', modern: 'basic/patterns/progress#progress-flow'
}
const progress = (...steps: JsonObject[]) => (call: ClientRequest): NotificationMessage[] | undefined => {
  const { progressToken } = metaOf(call)
  return progressToken === undefined
    ? undefined
    : steps.map((step) => ({ method: 'notifications/progress', params: { progressToken, ...step } }))
}

export const notifications: readonly ProfileRow[] = [
  notes(LEGAL, 'list-changed',
    'notifications about changed lists of tools, resources and prompts come while a request waits',
    'take them, and take the response', { legacy: 'server/tools#list-changed-notification' },
    () => ['tools', 'resources', 'prompts'].map((list) => ({ method: `notifications/${list}/list_changed` }))),
  notes(LEGAL, 'resource-updated', 'a notification about a resource comes that no one subscribed to', 'ignore it',
    { legacy: 'server/resources#subscriptions' },
    () => [{ method: 'notifications/resources/updated', params: { uri: 'service://test/unknown' } }]),
  notes(LEGAL, 'notification-unknown', 'a notification of an unknown method comes while a request waits', 'ignore it',
    { legacy: 'basic#notifications', modern: 'basic#notifications' },
    () => [{ method: 'notifications/x-weather', params: { rain: true } }, { method: 'x/unknown' }]),
  notes(LEGAL, 'log-messages', 'log messages of every level, with data of every type, come while a request waits',
    'take them, and take the response', { legacy: 'server/utilities/logging#capabilities' }, () =>
      ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'].map((level, index) => ({
        method: 'notifications/message', params: { level, data: [null, 1, 'text', { a: 1 }, [1]][index % 5] }
      }))),
  notes(LEGAL, 'progress-without-total', 'progress comes without a total and without a message', 'take it', PROGRESS,
    progress({ progress: 1 }, { progress: 2.5 })),
  notes(LEGAL, 'progress-with-total', 'progress comes with a total and a message, and stops short of the total',
    'take it, and take the response as the end', PROGRESS,
    progress({ progress: 1, total: 10, message: 'one' }, { progress: 4, total: 10, message: 'four' })),
  notes(ILLEGAL, 'progress-unknown-token', 'progress comes for a token that was never given', 'ignore it', PROGRESS,
    (_call, marker) => [{ method: 'notifications/progress', params: { progressToken: marker, progress: 1 } }]),
  notes(ILLEGAL, 'progress-backwards', 'progress goes back', 'take the response all the same', PROGRESS,
    progress({ progress: 5, total: 10 }, { progress: 2, total: 10 }, { progress: 2, total: 5 })),
  notes(LEGAL, 'cancel-unknown', 'the server cancels requests that it never sent', 'ignore it',
    { legacy: 'basic/utilities/cancellation#error-handling' }, () => [
      { method: 'notifications/cancelled', params: { requestId: 'never-sent', reason: 'no reason' } },
      { method: 'notifications/cancelled', params: { requestId: 4711 } }
    ])
]
