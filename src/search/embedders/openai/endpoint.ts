/** The URL of the embeddings operation, from a base URL with or without `/v1`, or from the full URL of a service. */
export function embeddingsUrl (base: string): URL {
  const url = new URL(base)
  const path = url.pathname.replace(/\/+$/, '')
  if (path.endsWith('/embeddings')) url.pathname = path
  else url.pathname = /\/v\d+$/.test(path) ? `${path}/embeddings` : `${path}/v1/embeddings`
  return url
}
