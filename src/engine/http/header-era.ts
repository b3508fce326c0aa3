/** The era that the headers of a request name, decided once for each request. */
import type { FastifyRequest } from 'fastify'
import { classifyHeaders } from '../eras/classify.js'
import type { Era } from '../eras/era.js'
import { requestInfo } from '../request-info.js'

/** Returns the era; decides it on the first call. */
export const headerEra = (request: FastifyRequest): Era['name'] => {
  const about = requestInfo(request)
  about.era ??= classifyHeaders(request.headers)
  return about.era
}
