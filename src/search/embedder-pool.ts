/** The embedders of this process, each opened once: the chosen one, former ones, and the engine of search. */
import type { Config } from '../config/config.js'
import { requireSecureService } from '../http/secure-transport.js'
import { Refusal } from '../lib/errors.js'
import type { Embedder } from './embedder.js'
import type { EmbedderPool } from './embedder-registry.js'
import { wordVectorVersion } from './embedders/word-vectors/open-word-vectors.js'
import { WORD_VECTORS } from './embedders/word-vectors/word-vector-embedder.js'
import type { SearchEngine } from './search-engine.js'
import { createWorkerEngine, type WorkerEngine } from './worker-engine.js'

// The settings that identify an embedder. They are stored with its vectors, to open it again, and hold no secrets.
const SETTINGS = [
  'embedder', 'thesaurusFile', 'embeddingsUrl', 'embeddingsModel', 'embeddingsDimensions', 'embeddingsWindow',
  'embeddingsQueryPrefix', 'embeddingsDocumentPrefix'
] as const satisfies ReadonlyArray<keyof Config>

export interface ConfiguredEmbedders extends EmbedderPool {
  /** Works in the search worker, with the words of the built-in embedder, whichever embedder is chosen. */
  engine: SearchEngine
  close (): Promise<void>
}

/** The pool for this configuration. Embedders are opened when they are first used; a service is not asked then. */
export const openEmbedderPool = (config: Config): ConfiguredEmbedders => {
  const byName = new Map<string, Promise<Embedder>>()
  const engines = new Map<string | undefined, WorkerEngine>()
  const engineWith = (thesaurusFile: string | undefined): WorkerEngine => {
    const engine = engines.get(thesaurusFile) ?? createWorkerEngine({ thesaurusFile })
    engines.set(thesaurusFile, engine)
    return engine
  }
  const open = (settings: Partial<Config>): Promise<Embedder> => {
    const name = JSON.stringify(settings)
    // The configured key is for the configured service, not for one that the database names.
    const embeddingsKey = settings.embeddingsUrl === config.embeddingsUrl ? config.embeddingsKey : undefined
    const all = { ...config, ...settings, embeddingsKey }
    const embedder = byName.get(name) ??
      (all.embedder === 'builtin' ? builtin(engineWith(all.thesaurusFile), all.thesaurusFile) : service(all))
    byName.set(name, embedder)
    return embedder
  }
  const chosen = Object.fromEntries(SETTINGS.map((setting) => [setting, config[setting]])) as Partial<Config>
  const unset = Object.fromEntries(SETTINGS.map((setting) => [setting, undefined]))
  return {
    configured: async () => ({ embedder: await open(chosen), settings: chosen }),
    reopen: async ({ settings }) => await open({ ...unset, ...settings as Partial<Config> }),
    engine: engineWith(config.embedder === 'builtin' ? config.thesaurusFile : undefined),
    async close () {
      await Promise.all([...engines.values()].map((engine) => engine.close()))
    }
  }
}

/** The engine reads the thesaurus too. Throws a `Refusal` that names each bad line of it. */
const builtin = async (engine: SearchEngine, thesaurusFile: string | undefined): Promise<Embedder> => ({
  ...WORD_VECTORS,
  version: await wordVectorVersion(thesaurusFile),
  embed: engine.embed,
  // What goes wrong is reported when a text is embedded.
  prepare () { engine.embed([], { kind: 'document' }).catch(() => {}) }
})

const service = async (config: Config): Promise<Embedder> => {
  const { embeddingsKey: key, allowHttp } = config
  const url = needed(config.embeddingsUrl, 'EMBEDDER=openai needs EMBEDDINGS_URL, the base address of the service.')
  if (key !== undefined) requireSecureService('EMBEDDINGS_URL', url, 'EMBEDDINGS_KEY', allowHttp)
  const { openaiEmbedder } = await import('./embedders/openai/openai-embedder.js')
  return openaiEmbedder({
    window: config.embeddingsWindow,
    queryPrefix: config.embeddingsQueryPrefix,
    documentPrefix: config.embeddingsDocumentPrefix,
    url,
    model: needed(config.embeddingsModel, 'EMBEDDER=openai needs EMBEDDINGS_MODEL, the name of the model.'),
    key,
    dimensions: config.embeddingsDimensions
  })
}

const needed = (value: string | undefined, sentence: string): string => {
  if (value === undefined) throw new Refusal(sentence)
  return value
}
