/** Says which revisions and capabilities the server has, without a session: 2026-07-28 server/discover */
import { capabilities } from './capabilities.js'
import { weakMemo } from '../../lib/weak-memo.js'
import type { Method, MethodResult, ServerFeatures } from './method.js'

const HOUR = 3_600_000

/** Returns the supported versions, the capabilities and the instructions. The result is cached per revision. */
export const discover: Method = async (_params, { revision }, features) => memo(features, revision, () => ({
  result: {
    supportedVersions: features.supportedVersions,
    capabilities: capabilities(revision, features),
    instructions: features.instructions
  },
  cache: { ttlMs: HOUR, scope: 'public' },
  constant: true
}))

const memo = weakMemo<ServerFeatures, MethodResult>()
