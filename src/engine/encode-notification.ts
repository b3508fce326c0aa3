/** The wire form of the notifications that a method sends before its result. */
import type { OutgoingNotification } from './request-context.js'
import { LOG_LEVELS } from './log-level.js'
import { notification } from './jsonrpc/message.js'
import { supports } from './revisions.js'
import type { AdmittedRequest } from './eras/era.js'

/** Returns undefined when the caller did not ask: progress without a token, or a log message below its level. */
export const encodeNotification = async (
  step: OutgoingNotification, admitted: AdmittedRequest
): Promise<string | undefined> => {
  const { progressToken, revision, notificationMeta } = admitted
  switch (step.kind) {
    case 'progress': {
      if (progressToken === undefined) return undefined
      const { kind, message, ...rest } = step
      return notification('notifications/progress',
        { progressToken, ...rest, ...(message !== undefined && supports(revision, 'progressMessage') && { message }) })
    }
    case 'log': {
      const { logLevel } = admitted
      const threshold = typeof logLevel === 'function' ? await logLevel() : logLevel
      if (threshold === undefined || LOG_LEVELS.indexOf(step.level) < LOG_LEVELS.indexOf(threshold)) return undefined
      const { kind, ...params } = step
      return notification('notifications/message', params)
    }
    case 'notification':
      return notification(step.method, notificationMeta ? { _meta: notificationMeta, ...step.params } : step.params)
  }
}
