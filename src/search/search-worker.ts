/** The module of the search worker, which alone holds the word vectors and the thesaurus. */
import { workerData } from 'node:worker_threads'
import { serveWorker } from '../lib/async/worker-thread.js'
import type { EmbeddingText, EmbedOptions } from './embedder.js'
import { openWordVectors, type WordVectorOptions } from './embedders/word-vectors/open-word-vectors.js'
import { createSearchEngine, type SnippetRequest } from './search-engine.js'

export type SearchWorkerRequest =
  { texts: readonly EmbeddingText[], kind: EmbedOptions['kind'] } | { explain: SnippetRequest }

const options: WordVectorOptions = workerData
const engine = createSearchEngine(() => openWordVectors(options))

serveWorker(async (request: SearchWorkerRequest) => 'explain' in request
  ? await engine.explain(request.explain)
  : await engine.embed(request.texts, { kind: request.kind }))
