/** The built-in embedder whose vectors are made elsewhere: where the engine of search is. */
import { EmbedderUnavailable, type Embedder } from '../../embedder.js'
import { WorkerEnded } from '../../../lib/async/worker-thread.js'
import type { SearchEngine } from '../../search-engine.js'
import { identifyWordVectors } from './word-vector-identity.js'

/**
 * @param thesaurusFile path of the operator's thesaurus, which the engine reads too
 * @throws {Refusal} that names each bad line of it
 */
export const engineEmbedder = async (
  engine: Pick<SearchEngine, 'embed'>, thesaurusFile: string | undefined
): Promise<Embedder> => {
  const embed: Embedder['embed'] = async (texts, options) => {
    try {
      return await engine.embed(texts, options)
    } catch (error) {
      if (error instanceof WorkerEnded) throw new EmbedderUnavailable('The search worker ended by itself')
      throw error
    }
  }
  return {
    ...await identifyWordVectors(thesaurusFile),
    embed,
    // What goes wrong is reported when a text is embedded.
    prepare () { embed([], { kind: 'document' }).catch(() => {}) }
  }
}
