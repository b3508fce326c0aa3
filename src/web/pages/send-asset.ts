/** Sends a content in the encoding that the client takes, or 304 when it has it already. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asset } from './pages.js'

/** The encodings in the order in which the server prefers them. */
const ENCODINGS = ['br', 'gzip'] as const

/** Whether a header with qualities (RFC 9110 section 12.5.3) accepts an encoding by its name; `*` is not looked at. */
export const accepts = (header: string | undefined, encoding: string): boolean =>
  (header ?? '').toLowerCase().split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter))
  })

/** Sends the asset. Its caching is the caller's: `cache-control` has to be set before. */
export const sendAsset = (request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply => {
  const encoding = ENCODINGS.find((name) => asset[name] && accepts(request.headers['accept-encoding'], name))
  const etag = `"${asset.tag}${encoding === undefined ? '' : `-${encoding}`}"`
  reply.header('etag', etag)
  reply.header('vary', ['Accept-Encoding', reply.getHeader('vary')].filter(Boolean).join(', '))
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(asset.type).send(encoding === undefined ? asset.identity : asset[encoding])
}

const matches = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
