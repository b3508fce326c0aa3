/** 2025-11-25 basic/utilities/ping: an empty result, at once. */
import type { Method } from './method.js'

export const ping: Method = async () => ({ result: {} })
