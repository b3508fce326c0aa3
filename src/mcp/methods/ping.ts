/** Answers a ping with an empty result: 2025-11-25 basic/utilities/ping. */
import type { Method } from './method.js'

/** Returns an empty result. */
export const ping: Method = () => ({ result: {} })
