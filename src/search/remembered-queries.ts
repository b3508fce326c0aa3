/** Remembers the vectors of recent queries, so that the next page of an answer costs no second request of a service. */
import type { Embedder } from './embedder.js'

const MOST = 500

export function rememberingQueries (embedder: Embedder): Embedder {
  const recent = new Map<string, Float32Array>()

  const remember = (key: string, vector: Float32Array): void => {
    recent.delete(key)
    recent.set(key, vector)
    for (const oldest of recent.keys()) {
      if (recent.size <= MOST) break
      recent.delete(oldest)
    }
  }

  return {
    id: embedder.id,
    version: embedder.version,
    get dimensions () { return embedder.dimensions },
    async embed (texts, options) {
      const [only] = texts
      if (options.kind !== 'query' || only === undefined || texts.length > 1) return await embedder.embed(texts, options)
      const key = JSON.stringify(only.parts)
      const vector = recent.get(key) ?? (await embedder.embed(texts, options))[0]
      if (vector === undefined) return []
      remember(key, vector)
      return [vector]
    }
  }
}
