/**
 * Compresses what the pages read from the API. Only answers to GET: what makes a secret, or shows one, is an answer to
 * POST, and a secret beside another person's text could be guessed from the compressed length (BREACH). For the same
 * reason nothing is compressed that another site made the browser ask for.
 */
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { accepts } from './pages/send-asset.js'

// Below this many characters the headers weigh more than what is saved.
const MIN_LENGTH = 1000
const compress = promisify(gzip)

/** Adds the compression to a scope. Downloads are compressed as they are written, events are left as they are. */
export const compressAnswers = (app: FastifyInstance): void => {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    if (method !== 'GET' || reply.hasHeader('content-encoding')) return payload
    reply.header('vary', 'Accept-Encoding')
    const site = headers['sec-fetch-site'] ?? 'same-origin'
    if (!['same-origin', 'none'].includes(String(site)) || !accepts(headers['accept-encoding'], 'gzip')) return payload
    const isDownload = payload instanceof Readable && reply.hasHeader('content-disposition')
    const isText = typeof payload === 'string' && payload.length >= MIN_LENGTH
    if (isDownload || isText) reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return isDownload ? pipeline(payload, createGzip(), () => {}) : isText ? compress(payload) : payload
  })
}
