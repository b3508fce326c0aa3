/** Sets the level of log messages for a session: 2025-11-25 server/utilities/logging#setting-log-level */
import { Fault } from '../../lib/errors.js'
import { isLogLevel, LOG_LEVELS } from '../log-level.js'
import { requireSession } from './require-session.js'
import type { Method } from './method.js'

/**
 * Stores the level in the session.
 * @throws {Fault} `invalid_params` for an unknown level, `session_required` without a session
 */
export const setLogLevel: Method = async ({ level }, context) => {
  if (!isLogLevel(level)) throw new Fault('invalid_params', `"params.level" is one of ${LOG_LEVELS.join(', ')}.`)
  await requireSession(context).setLogLevel(level)
  return { result: {} }
}
