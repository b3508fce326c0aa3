/** Handlers: usage and the audit log. */
import { Readable } from 'node:stream'
import type { AuditFilter } from '../../access/audit/audit-log.js'
import type { LabelScope } from '../../db/audit/sql-audit-labels.js'
import type { WebPerson } from '../permission.js'
import { decodeCursor, encodeCursor, isRowTime, pageOf } from '../../db/sql/cursor.js'
import { auditItems, exportLines, withinReach, type AuditItem } from '../views/audit-view.js'
import type { HandlersOf } from '../handler.js'
import type { activityOperations } from '../operations/activity.js'
import { usageView } from '../views/usage-view.js'
import { visibleWorkspaces } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

const MEDIA_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' }

/** Returns the handlers by method and path. */
export const activityHandlers = (
  deps: PageDeps
): HandlersOf<typeof activityOperations, 'GET /usage' | 'GET /audit-events' | 'GET /audit-events/export'> => {
  const { audit, credentials, web } = deps

  const pagesOf = async function * (
    filter: Omit<AuditFilter, 'limit'>, scope: LabelScope
  ): AsyncGenerator<AuditItem[]> {
    for await (const events of audit.all(filter)) yield await auditItems(web.auditLabels, events, scope)
  }

  const scopeOf = (person: WebPerson, users: readonly string[] | undefined): LabelScope => {
    const visible = visibleWorkspaces(person)
    return { users, workspaces: person.serverAdmin ? undefined : visible, explorationsOf: visible }
  }

  return {
    'GET /usage': ({ query, person, access }) => usageView(deps, person, access, query),

    'GET /audit-events': async ({ query: { cursor, limit = 50, ...filter }, person, access }) => {
      const [at, id] = decodeCursor('audit', cursor, isPosition) ?? []
      const before = at !== undefined && id !== undefined ? { at, id } : undefined
      await credentials.markExpired()
      const reachFilter = await withinReach(deps, person, access, filter)
      const events = await audit.list({ ...reachFilter, before, limit: limit + 1 })
      const { items, ...rest } = pageOf(events, limit, (last) => encodeCursor('audit', [last.at, last.id]))
      return { audit_events: await auditItems(web.auditLabels, items, scopeOf(person, reachFilter.users)), ...rest }
    },

    'GET /audit-events/export': async ({ query: { format, ...filter }, person, access, reply }) => {
      await credentials.markExpired()
      const reachFilter = await withinReach(deps, person, access, filter)
      const pages = pagesOf(reachFilter, scopeOf(person, reachFilter.users))
      return reply.type(MEDIA_TYPES[format])
        .header('content-disposition', `attachment; filename="audit-events.${format}"`)
        .send(Readable.from(exportLines(pages, format)))
    }
  }
}

const isPosition = (position: unknown[]): position is [at: string, id: string] => {
  const [at, id] = position
  return position.length === 2 && typeof at === 'string' && isRowTime(at) && typeof id === 'string' &&
    /^\d{1,18}$/.test(id)
}
