/** The embedders that servers of one process of tests share: the search worker reads its word vectors for a second. */
import { openEmbedderPool, type ConfiguredEmbedders } from '../../src/search/embedder-pool.js'
import type { Config } from '../../src/config/config.js'
import { testConfig } from './config.js'

let shared: ConfiguredEmbedders | undefined
process.once('disconnect', () => { shared?.close().catch((error: unknown) => { throw error }) })

/** Of a test's own where its configuration is about search, or where the file runs by itself. */
export const sharedEmbedders = (config: Config = testConfig()): ConfiguredEmbedders => {
  if (process.env['TEST_WORKER'] === undefined || config.embedder !== 'builtin' || config.thesaurusFile !== undefined) return openEmbedderPool(config)
  shared ??= openEmbedderPool(config)
  return { ...shared, close: async () => {} }
}
