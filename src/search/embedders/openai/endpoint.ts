/**
 * Where to post to: a base address with or without its `/v1`, or the whole address of a service that has another
 * path.
 */
export function embeddingsUrl (base: string): URL {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('/embeddings')) url.pathname = path
  else url.pathname = /\/v\d+$/.test(path) ? `${path}/embeddings` : `${path}/v1/embeddings`
  return url
}
