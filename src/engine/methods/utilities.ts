/** Utilities: 2025-11-25 basic/utilities/ping, server/utilities/logging#setting-log-level */
import type { Method, MethodResult } from './method.js'
import { Fault } from '../../lib/errors.js'
import { isLogLevel, LOG_LEVELS } from '../log-level.js'
import { requireSession } from './guards.js'

const PONG: MethodResult = { result: {}, constant: true }

/** Returns an empty result. */
export const ping: Method = async () => PONG

/**
 * Stores the level in the session.
 * @throws {Fault} `invalid_params` for an unknown level, `session_required` without a session
 */
export const setLogLevel: Method = async ({ level }, context) => {
  if (!isLogLevel(level)) throw new Fault('invalid_params', `"params.level" is one of ${LOG_LEVELS.join(', ')}.`)
  await requireSession(context).setLogLevel(level)
  return { result: {} }
}
