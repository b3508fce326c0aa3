/** Handlers: imports, which stream records in and progress out, and the export, which streams while it is read. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../lib/errors.js'
import { pluralize } from '../../lib/text/text.js'
import type { HandlersOf } from '../handler.js'
import { ndjsonProgress } from '../ndjson-progress.js'
import type { administrationOperations } from '../operations/administration.js'
import type { ImportProgress, ManagementPorts } from '../ports.js'

type Ports = Pick<ManagementPorts, 'importRecords' | 'syncPlans' | 'sourceChanges' | 'directory' | 'exportRecords'>
type Records = 'POST /imports' | 'POST /plan-imports' | 'GET /plan-changes' | 'GET /export'

/** Returns the handlers by method and path. The event of the export is committed before its first byte leaves. */
export const importsHandlers = (
  { importRecords, syncPlans, sourceChanges, directory, exportRecords }: Ports
): HandlersOf<typeof administrationOperations, Records> => ({
  'POST /imports': ({ request, reply, query, person, audited, note, record }) =>
    answerWith(request, reply, (source, onProgress, signal) => audited(async () => {
      const summary = await importRecords(source, onProgress, signal, person?.user.id, query.replace === 'true')
      const made = summary.records['workspace']?.created ?? 0
      if (summary.admin !== undefined) note({ target: `admin of ${pluralize(made, 'new workspace')}` })
      await record('records/imported')
      return summary
    })),

  'POST /plan-imports': ({ request, reply, query, record }) =>
    answerWith(request, reply, async (source, onProgress, signal) => {
      const over = query.replace === 'true' ? 'replace' : 'propose'
      const summary = await syncPlans(source, onProgress, signal, undefined, over)
      await record('plans/imported')
      return summary
    }),

  'GET /plan-changes': async ({ query: { workspace, ...selection } }) =>
    await sourceChanges({ ...selection, workspace: await directory.findWorkspace(workspace) }),

  'GET /export': async ({ query, reply, note, record, audited }) => {
    const people = query.people === 'include'
    const target = people ? { target: 'with people' } : {}
    const workspace = await audited(async () => {
      note(target)
      if (query.workspace === undefined) return undefined
      const id = await directory.findWorkspace(query.workspace)
      note({ workspace_id: id })
      return id
    })
    await record('records/exported', { ...target, ...workspace !== undefined && { workspace_id: workspace } })
    return reply.type('application/x-ndjson')
      .header('content-disposition', 'attachment; filename="records.ndjson"')
      .send(Readable.from(exportRecords({ workspace, people })))
  }
})

type StreamedWork<Summary> = (
  source: AsyncIterable<Uint8Array>, onProgress: (progress: ImportProgress) => void, signal: AbortSignal
) => Promise<Summary>

/** Answers with progress and a summary, or a problem, as NDJSON while the body is read. */
export const answerWith = async <Summary>(
  { body, id, log }: FastifyRequest, reply: FastifyReply, work: StreamedWork<Summary>
): Promise<FastifyReply> => {
  if (!(body instanceof Readable)) throw new Refusal('There is nothing to import: the request has no body.')
  // The rest of a refused file is read and dropped: closing the connection under the sender would lose the reason.
  const records = body.iterator({ destroyOnReturn: false })
  // No client reads the summary after a disconnect, so the work ends.
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
