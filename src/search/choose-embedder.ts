/** Opens the embedder that the configuration names, and loads no other. */
import type { Config } from '../config/config.js'
import { Refusal } from '../lib/errors.js'
import { requireSecureService } from '../http/secure-transport.js'
import { engineEmbedder } from './embedders/word-vectors/engine-embedder.js'
import type { Embedder } from './embedder.js'
import type { SearchEngine } from './search-engine.js'

/**
 * Opens the embedder. A service that is down does not matter here: it is asked later.
 * @param engineWith gives the engine with the words of this thesaurus, for the built-in embedder
 * @throws {Refusal} when a setting or a file is missing
 */
export async function openEmbedder (
  config: Config, engineWith: (thesaurusFile: string | undefined) => Pick<SearchEngine, 'embed'>
): Promise<Embedder> {
  switch (config.embedder) {
    case 'builtin': return await engineEmbedder(engineWith(config.thesaurusFile), config.thesaurusFile)
    case 'openai': return (await import('./embedders/openai/openai-embedder.js')).openaiEmbedder({
      window: config.embeddingsWindow,
      queryPrefix: config.embeddingsQueryPrefix,
      documentPrefix: config.embeddingsDocumentPrefix,
      url: serviceAddress(config),
      model: needed(config.embeddingsModel, 'EMBEDDER=openai needs EMBEDDINGS_MODEL, the name of the model.'),
      key: config.embeddingsKey,
      dimensions: config.embeddingsDimensions
    })
  }
}

function serviceAddress ({ embeddingsUrl, embeddingsKey, allowHttp }: Config): string {
  const url = needed(embeddingsUrl, 'EMBEDDER=openai needs EMBEDDINGS_URL, the base address of the service.')
  if (embeddingsKey !== undefined) requireSecureService('EMBEDDINGS_URL', url, 'EMBEDDINGS_KEY', allowHttp)
  return url
}

function needed (value: string | undefined, sentence: string): string {
  if (value === undefined) throw new Refusal(sentence)
  return value
}
