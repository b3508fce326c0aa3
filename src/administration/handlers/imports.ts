/** Handlers: imports and credentials that an audit log ends, which stream lines in and progress out; and the export. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readRevocations } from '../../access/audit/revocations.js'
import { linesOf } from '../../importers/records/lines.js'
import { Refusal } from '../../lib/errors.js'
import { pluralize } from '../../lib/text/text.js'
import type { HandlersOf } from '../handler.js'
import { ndjsonProgress } from '../ndjson-progress.js'
import type { administrationOperations } from '../operations/administration.js'
import type { ImportRun, ManagementPorts } from '../ports.js'

const UNLIMITED = { maxBytes: Infinity, maxLines: Infinity }

export type StreamOperation = 'POST /imports' | 'POST /plan-imports' | 'GET /plan-changes' | 'GET /export' |
  `POST /admin/credentials/${'replay' | 'end'}`

/** The event of the export is committed before its first byte leaves. */
export const importsHandlers = (
  { importRecords, syncPlans, sourceChanges, directory, exportRecords, credentialEndings }: ManagementPorts
): HandlersOf<typeof administrationOperations, StreamOperation> => ({
  'POST /imports': ({ request, reply, query: { replace }, person, audited, note }) =>
    answerWith(request, reply, (source, run) => audited(async () => {
      const summary = await importRecords(source, { ...run, admin: person?.user.id, over: overOf(replace) })
      const made = summary.records['workspace']?.created ?? 0
      if (person && summary.admin !== undefined) note({ target: `admin of ${pluralize(made, 'new workspace')}` })
      return summary
    })),

  'POST /plan-imports': ({ request, reply, query: { replace }, audited }) =>
    answerWith(request, reply, (source, run) => audited(() => syncPlans(source, { ...run, over: overOf(replace) }))),

  'GET /plan-changes': async ({ query: { workspace, ...selection } }) =>
    await sourceChanges({ ...selection, workspace: await directory.findWorkspace(workspace) }),

  'GET /export': async ({ query, reply, note, audited }) => {
    const people = query.people === 'include'
    const workspace = await audited(async () => {
      if (people) note({ target: 'with people' })
      if (query.workspace === undefined) return undefined
      const id = await directory.findWorkspace(query.workspace)
      note({ workspace_id: id })
      return id
    })
    return reply.type('application/x-ndjson')
      .header('content-disposition', 'attachment; filename="records.ndjson"')
      .send(Readable.from(exportRecords({ workspace, people })))
  },

  'POST /admin/credentials/replay': ({ request, reply, actor, audited }) =>
    answerWith(request, reply, (source, { signal }) => audited(async () => {
      const revocations = await readRevocations(linesOf(source, { limits: UNLIMITED, signal }))
      return { ended: await credentialEndings.replay(revocations, actor) }
    })),

  'POST /admin/credentials/end': async ({ body: { issued_before: time }, actor, note }) => {
    note({ target: `issued before ${time}` })
    return { ended: await credentialEndings.endIssuedBefore(time, actor) }
  }
})

const overOf = (replace: 'true' | undefined): 'replace' | 'propose' => replace ? 'replace' : 'propose'

/** Answers with progress and a summary, or a problem, as NDJSON while the body is read. */
const answerWith = async <Summary>(
  { body, id, log }: FastifyRequest, reply: FastifyReply,
  work: (source: AsyncIterable<Uint8Array>, run: Required<Pick<ImportRun, 'onProgress' | 'signal'>>) => Promise<Summary>
): Promise<FastifyReply> => {
  if (!(body instanceof Readable)) throw new Refusal('There is nothing to import: the request has no body.')
  // The rest of a refused file is read and dropped: closing the connection under the sender would lose the reason.
  const records = body.iterator({ destroyOnReturn: false })
  // No client reads the summary after a disconnect, so the work ends.
  const left = new AbortController()
  reply.raw.once('close', () => {
    left.abort(new Refusal('The client left before its records were checked: nothing was imported.'))
  })
  const { signal } = left
  const lines = ndjsonProgress((onProgress) => work(records, { onProgress, signal }), { id, log }, (lines, last) => {
    const end = (): void => { lines.end(last) }
    if (body.readableEnded || body.destroyed) end()
    else body.once('close', end).once('end', end).resume()
  })
  return reply.type('application/x-ndjson').send(lines)
}
