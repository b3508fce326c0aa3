/** The embedders of this process, each opened once: the chosen one, former ones, and the engine of search. */
import type { Config } from '../config/config.js'
import type { EmbedderPool } from './embedder-registry.js'
import { openEmbedder } from './choose-embedder.js'
import type { Embedder } from './embedder.js'
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
  /** Ends the search workers. */
  close (): Promise<void>
}

/** The pool for this configuration. Embedders are opened when they are first used. */
export const openEmbedderPool = (config: Config): ConfiguredEmbedders => {
  const byName = new Map<string, Promise<Embedder>>()
  const engines = new Map<string | undefined, WorkerEngine>()
  /** The same engine for the same words. */
  const engineWith = (thesaurusFile: string | undefined): WorkerEngine => {
    const engine = engines.get(thesaurusFile) ?? createWorkerEngine({ thesaurusFile })
    engines.set(thesaurusFile, engine)
    return engine
  }
  const open = (settings: Partial<Config>): Promise<Embedder> => {
    const name = JSON.stringify(settings)
    // The configured key is for the configured service, not for one that the database names.
    const embeddingsKey = settings.embeddingsUrl === config.embeddingsUrl ? config.embeddingsKey : undefined
    const embedder = byName.get(name) ?? openEmbedder({ ...config, ...settings, embeddingsKey }, engineWith)
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
