/** Streams records in and progress out: one JSON line per step, the last one a summary or a problem. */
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.js'
import { problem } from './problem.js'
import type { ImportProgress, ImportSummary, ManagementPorts } from './ports.js'
import type { Problem } from './problem.js'

export type ImportLine = { progress: ImportProgress } | { summary: ImportSummary } | { problem: Problem }

const MEDIA_TYPES = ['application/x-ndjson', 'application/gzip', 'application/octet-stream']

export function imports (app: FastifyInstance, { importRecords }: ManagementPorts): void {
  app.addContentTypeParser(MEDIA_TYPES, async (_request: unknown, payload: IncomingMessage) => payload)

  app.post<{ Body: IncomingMessage | null }>('/imports', {
    schema: { operationId: 'importRecords', summary: 'Import records (NDJSON, plain or gzip)', tags: ['records'], consumes: MEDIA_TYPES, produces: ['application/x-ndjson'] }
  }, async ({ body, id, log }, reply) => {
    if (!body) throw new Refusal('There is nothing to import: the request has no body.')
    const lines = new PassThrough()
    const say = (line: ImportLine): string => `${JSON.stringify(line)}\n`
    // The rest of a refused file is read and dropped: a connection closed under the sender would lose the reason.
    importRecords(body.iterator({ destroyOnReturn: false }), (progress) => { if (!lines.writableNeedDrain) lines.write(say({ progress })) })
      .then((summary) => say({ summary }), (error: unknown) => {
        if (!(error instanceof Refusal)) log.error({ err: error }, 'import failed')
        return say({ problem: problem(error, id) })
      })
      .then((last) => {
        const end = (): void => { lines.end(last) }
        if (body.readableEnded || body.destroyed) return end()
        body.once('close', end).once('end', end).resume()
      })
      .catch((error: unknown) => { lines.destroy(error instanceof Error ? error : undefined) })
    return reply.type('application/x-ndjson').send(lines)
  })
}
