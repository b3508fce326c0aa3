/** The embedders of this process, each opened once: the chosen one, former ones, and the built-in one for snippets. */
import type { Config } from '../config.js'
import type { EmbedderPool } from './embedder-registry.js'
import type { WordVectorEmbedder } from './embedders/word-vectors/word-vector-embedder.js'
import { openWordVectors } from './embedders/word-vectors/open-word-vectors.js'
import { workerEmbedder } from './embedders/word-vectors/worker-embedder.js'
import { openEmbedder } from './choose-embedder.js'
import type { Embedder } from './embedder.js'

// The settings that identify an embedder. They are stored with its vectors, to open it again, and hold no secrets.
const SETTINGS = [
  'embedder', 'thesaurusFile', 'embeddingsUrl', 'embeddingsModel', 'embeddingsDimensions', 'embeddingsWindow',
  'embeddingsQueryPrefix',
  'embeddingsDocumentPrefix', 'onnxModel', 'onnxPooling'
] as const satisfies ReadonlyArray<keyof Config>

/** The pool for this configuration. Embedders are opened when they are first used. */
export const openEmbedderPool = (config: Config): EmbedderPool & { local (): Promise<WordVectorEmbedder> } => {
  const byName = new Map<string, Promise<Embedder>>()
  const thesaurusFile = config.embedder === 'builtin' ? config.thesaurusFile : undefined
  let builtin: Promise<WordVectorEmbedder> | undefined
  const local = (): Promise<WordVectorEmbedder> => {
    builtin ??= openWordVectors({ thesaurusFile })
    return builtin
  }
  const open = (settings: Partial<Config>): Promise<Embedder> => {
    const name = JSON.stringify(settings)
    // The configured key is for the configured service, not for one that the database names.
    const embeddingsKey = settings.embeddingsUrl === config.embeddingsUrl ? config.embeddingsKey : undefined
    const isLocal = settings.embedder === 'builtin' && settings.thesaurusFile === thesaurusFile
    const embedder = byName.get(name) ?? (isLocal
      ? local().then((ours) => workerEmbedder(ours, { thesaurusFile }))
      : openEmbedder({ ...config, ...settings, embeddingsKey }))
    byName.set(name, embedder)
    return embedder
  }
  const chosen = Object.fromEntries(SETTINGS.map((setting) => [setting, config[setting]])) as Partial<Config>
  const unset = Object.fromEntries(SETTINGS.map((setting) => [setting, undefined]))
  return {
    configured: async () => ({ embedder: await open(chosen), settings: chosen }),
    reopen: async ({ settings }) => await open({ ...unset, ...settings as Partial<Config> }),
    local
  }
}
