/** Imports: the request streams records in, the response streams progress out. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../lib/errors.js'
import { actorOf } from './actor.js'
import type { ImportProgress, ManagementPorts } from './management-ports.js'
import { ndjsonProgress } from './ndjson-progress.js'
import { recordOperation } from './record-operation.js'

/** What an import may be sent as; the parser of these types gives the handler the stream. */
export const MEDIA_TYPES = ['application/x-ndjson', 'application/gzip', 'application/octet-stream']

/**
 * Registers `POST /imports` and `POST /plan-imports`. Both take NDJSON, plain or gzip, and answer with NDJSON
 * progress.
 */
export function imports (app: FastifyInstance, { importRecords, syncPlans, audit }: ManagementPorts): void {
  app.addContentTypeParser(MEDIA_TYPES, async (_request: unknown, payload: Readable) => payload)

  const io = { tags: ['records'], consumes: MEDIA_TYPES, produces: ['application/x-ndjson'] }
  app.post<Streamed>('/imports', {
    schema: { operationId: 'importRecords', summary: 'Import records (NDJSON, plain or gzip)', ...io }
  }, async (request, reply) => answerWith(recorded(request, 'records/imported', importRecords))(request, reply))
  app.post<Streamed>('/plan-imports', {
    schema: {
      operationId: 'importPlans', summary: 'Import the plans of a repository: what changed, and what vanished', ...io
    }
  }, async (request, reply) => answerWith(recorded(request, 'plans/imported', syncPlans))(request, reply))

  const recorded = <Summary>(request: FastifyRequest, action: string, work: StreamedWork<Summary>) =>
    async (...[source, onProgress, signal]: Parameters<StreamedWork<Summary>>): Promise<Summary> => {
      const summary = await work(source, onProgress, signal)
      await recordOperation(audit, { action, requestId: request.id, actor: actorOf(request) })
      return summary
    }
}

export interface Streamed { Body: Readable | null }

type StreamedWork<Summary> = (
  source: AsyncIterable<Uint8Array>, onProgress: (progress: ImportProgress) => void, signal: AbortSignal
) => Promise<Summary>

/** Answers with progress and a summary, or a problem, as NDJSON while the body is read. */
export const answerWith = <Summary>(work: StreamedWork<Summary>) =>
  async (
    { body, id, log }: Pick<FastifyRequest<Streamed>, 'body' | 'id' | 'log'>, reply: FastifyReply
  ): Promise<FastifyReply> => {
    if (!body) throw new Refusal('There is nothing to import: the request has no body.')
    // The rest of a refused file is read and dropped: closing the connection under the sender would lose the reason.
    const records = body.iterator({ destroyOnReturn: false })
    // Nobody reads the summary after a disconnect, so the work ends.
    const left = new AbortController()
    reply.raw.once('close', () => {
      left.abort(new Refusal('The client left before its records were checked: nothing was imported.'))
    })
    const lines = ndjsonProgress((onProgress) => work(records, onProgress, left.signal), { id, log }, (lines, last) => {
      const end = (): void => { lines.end(last) }
      if (body.readableEnded || body.destroyed) end()
      else body.once('close', end).once('end', end).resume()
    })
    return reply.type('application/x-ndjson').send(lines)
  }
