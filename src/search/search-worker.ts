/** The module of the search worker, which alone holds the word vectors and the thesaurus. */
import { workerData } from 'node:worker_threads'
import { serveWorker } from '../lib/async/worker-thread.js'
import type { EmbeddingText, EmbedOptions } from './embedder.js'
import { openWordVectors, type WordVectorOptions } from './embedders/word-vectors/open-word-vectors.js'
import { createSearchEngine, type SnippetRequest } from './search-engine.js'

export type SearchWorkerRequest =
  { texts: readonly EmbeddingText[], kind: EmbedOptions['kind'] } | { explain: SnippetRequest }
export type SearchWorkerResponse = { vectors: Float32Array[] } | { snippets: Map<string, string> }

const options: WordVectorOptions = workerData
const engine = createSearchEngine(() => openWordVectors(options))

serveWorker(async (request: SearchWorkerRequest): Promise<SearchWorkerResponse> => 'explain' in request
  ? { snippets: await engine.explain(request.explain) }
  : { vectors: await engine.embed(request.texts, { kind: request.kind }) })
