/** The wire form of what is said before a result. */
import type { Saying } from './request-context.js'
import { LOG_LEVELS } from './log-level.js'
import { notification } from './jsonrpc/message.js'
import { has } from './revisions.js'
import type { Opened } from './eras/era.js'

/** A message for the stream; undefined when the caller did not ask to hear it. */
export const said = async (step: Saying, { progressToken, logLevel, revision, stamp }: Opened): Promise<string | undefined> => {
  switch (step.kind) {
    case 'progress': {
      if (progressToken === undefined) return undefined
      const { kind, message, ...rest } = step
      return notification('notifications/progress',
        { progressToken, ...rest, ...(message !== undefined && has(revision, 'progressMessage') && { message }) })
    }
    case 'log': {
      const least = typeof logLevel === 'function' ? await logLevel() : logLevel
      if (least === undefined || LOG_LEVELS.indexOf(step.level) < LOG_LEVELS.indexOf(least)) return undefined
      const { kind, ...params } = step
      return notification('notifications/message', params)
    }
    case 'notification':
      return notification(step.method, stamp ? { _meta: stamp, ...step.params } : step.params)
  }
}
