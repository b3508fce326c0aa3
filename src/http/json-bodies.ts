/** How JSON bodies are read where Fastify does it: like its own parser, and no deeper than the bound for all JSON from outside. */
import type { FastifyInstance } from 'fastify'
import { isDeeperThan, JsonDepthError } from '../lib/json-depth.js'

/** Replaces the parser of `application/json` for this scope and those below; a body that is too deep is answered 400. */
export const boundJsonBodies = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (!isDeeperThan(body)) return parse(request, body, done)
    done(new JsonDepthError())
  })
}
