/** 2026-07-28 server/discover: who this is and what it speaks, without any state. */
import { capabilities } from './capabilities.js'
import type { Method, MethodResult } from './method.js'
import { once } from './once.js'

const HOUR = 3_600_000

export const discover: Method = async (_params, { revision }, features) => made.get(features, revision, () => ({
  result: {
    supportedVersions: features.supportedVersions,
    capabilities: capabilities(revision, features),
    instructions: features.instructions
  },
  cache: { ttlMs: HOUR, scope: 'public' },
  constant: true
}))

const made = once<MethodResult>()
