/** The worker thread of the built-in embedder for long texts. */
import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { EmbeddingText } from '../../embedder.js'
import { openWordVectors, type WordVectorOptions } from './open-word-vectors.js'

if (parentPort) {
  const options: WordVectorOptions = workerData
  const messages = on(parentPort, 'message')
  const embedder = await openWordVectors(options)
  // Each message is an array of texts and gets one answer, in order: their vectors, concatenated.
  for await (const [message] of messages) {
    const texts: readonly EmbeddingText[] = message
    const vectors = await embedder.embed(texts, { kind: 'document' })
    const all = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0))
    vectors.forEach((vector, index) => { all.set(vector, index * vector.length) })
    parentPort.postMessage(all, [all.buffer])
  }
}
