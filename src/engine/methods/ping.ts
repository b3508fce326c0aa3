/** Answers a ping with an empty result: 2025-11-25 basic/utilities/ping. */
import type { Method, MethodResult } from './method.js'

const PONG: MethodResult = { result: {}, constant: true }

/** Returns an empty result. */
export const ping: Method = async () => PONG
