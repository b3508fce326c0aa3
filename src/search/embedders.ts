/** The embedders of this process, each opened once: the one that the configuration chooses, those of earlier, a local one for sentences. */
import type { Config } from '../config.js'
import type { Embedders } from './adopted-embedders.js'
import { openBuiltin } from './builtin/open-builtin.js'
import { openEmbedder } from './choose-embedder.js'
import type { Embedder } from './embedder.js'

// What makes an embedder the one it is; kept with its vectors, so that it can be opened again. No secrets.
const SETTINGS = [
  'embedder', 'thesaurusFile', 'embeddingsUrl', 'embeddingsModel', 'embeddingsDimensions', 'embeddingsWindow', 'embeddingsQueryPrefix',
  'embeddingsDocumentPrefix', 'onnxModel', 'onnxPooling'
] as const satisfies ReadonlyArray<keyof Config>

export const openEmbedders = (config: Config): Embedders & { local (): Promise<Embedder> } => {
  const opened = new Map<string, Promise<Embedder>>()
  const open = (settings: Partial<Config>): Promise<Embedder> => {
    const name = JSON.stringify(settings)
    // Today's key is for today's service, not for one that the database names.
    const embeddingsKey = settings.embeddingsUrl === config.embeddingsUrl ? config.embeddingsKey : undefined
    const embedder = opened.get(name) ?? openEmbedder({ ...config, ...settings, embeddingsKey })
    opened.set(name, embedder)
    return embedder
  }
  const chosen = Object.fromEntries(SETTINGS.map((setting) => [setting, config[setting]])) as Partial<Config>
  const unset = Object.fromEntries(SETTINGS.map((setting) => [setting, undefined]))
  let local: Promise<Embedder> | undefined
  return {
    chosen: async () => ({ embedder: await open(chosen), settings: chosen }),
    reopen: async ({ settings }) => await open({ ...unset, ...settings as Partial<Config> }),
    local: () => {
      local ??= config.embedder === 'builtin' ? open(chosen) : openBuiltin()
      return local
    }
  }
}
