/** Bounds the nesting depth of JSON bodies that Fastify parses. */
import type { FastifyInstance } from 'fastify'
import { isDeeperThan, JsonDepthError } from '../lib/json/json-depth.js'

/**
 * Replaces the parser of `application/json` in this scope and its children. It works as Fastify's own but rejects a
 * body deeper than `MAX_JSON_DEPTH` levels with 400.
 */
export const boundJsonBodies = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (!isDeeperThan(body)) return parse(request, body, done)
    done(new JsonDepthError())
  })
}
