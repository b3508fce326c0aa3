/** Says which revisions and capabilities the server has, without a session: 2026-07-28 server/discover */
import { capabilities, sharesViews } from './capabilities.js'
import { weakMemo } from '../../lib/weak-memo.js'
import type { Method, MethodResult, ServerFeatures } from './method.js'

const HOUR = 3_600_000

/**
 * Returns the supported versions, the capabilities and the instructions. The result is cached per revision and kind of
 * client.
 */
export const discover: Method = async (_params, { revision, client }, features) => {
  const views = sharesViews(features, { client })
  return memo(features, `${revision}${views ? ' views' : ''}`, () => ({
    result: {
      supportedVersions: features.supportedVersions,
      capabilities: capabilities(revision, features, views),
      instructions: features.instructions
    },
    // What a cache shares is the answer to clients without views.
    cache: { ttlMs: HOUR, scope: views ? 'private' : 'public' },
    constant: true
  }))
}

const memo = weakMemo<ServerFeatures, MethodResult>()
