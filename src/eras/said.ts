/** The wire form of what is said before a result. */
import type { InputStep, Step } from '../call.js'
import { notification } from '../rpc/message.js'
import { has } from '../revisions.js'
import type { Opened } from './era.js'

/** Undefined when the caller did not ask to hear it. */
export const said = (step: Exclude<Step, InputStep>, { progressToken, logLevel, revision }: Opened): string | undefined => {
  if (step.kind === 'progress') {
    if (progressToken === undefined) return undefined
    const { kind, message, ...rest } = step
    return notification('notifications/progress',
      { progressToken, ...rest, ...(message !== undefined && has(revision, 'progressMessage') && { message }) })
  }
  if (logLevel === undefined || LEVELS.indexOf(step.level) < LEVELS.indexOf(logLevel)) return undefined
  const { kind, ...params } = step
  return notification('notifications/message', params)
}

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
