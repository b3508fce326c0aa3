/** Handler: the export of all records, which streams while it is read. */
import { Readable } from 'node:stream'
import type { HandlersOf } from '../handler.js'
import type { administrationOperations } from '../operations/administration.js'
import type { ManagementPorts } from '../ports.js'

/** Returns the handler by method and path. The event of the export is committed before its first byte leaves. */
export const exportHandlers = (
  { directory, exportRecords }: Pick<ManagementPorts, 'directory' | 'exportRecords'>
): HandlersOf<typeof administrationOperations, 'GET /export'> => ({
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
