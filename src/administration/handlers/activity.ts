/** Handlers: usage and the audit log, for people and for the command line. */
import { Readable } from 'node:stream'
import type { AuditFilter, AuditRecord } from '../../access/audit/audit-log.js'
import { idsIn, type LabelScope } from '../../db/audit/sql-audit-labels.js'
import { applicationName } from '../../lib/text/application-name.js'
import type { WebPerson } from '../permission.js'
import { decodeCursor, encodeCursor, isRowTime, pageOf } from '../../db/sql/cursor.js'
import { auditItems, exportLines, withinReach, type AuditItem } from '../views/audit-view.js'
import type { Handlers } from '../handler.js'
import type { activityOperations } from '../operations/activity.js'
import { usageView } from '../views/usage-view.js'
import { visibleWorkspaces } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

const MEDIA_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' }

/** Those of the audit log first record expired credentials. */
export const activityHandlers = (deps: PageDeps): Handlers<typeof activityOperations> => {
  const { audit, auditLabels, credentials, directory } = deps

  const pagesOf = async function * (
    filter: Omit<AuditFilter, 'limit'>, scope: LabelScope
  ): AsyncGenerator<AuditItem[]> {
    for await (const events of audit.all(filter)) yield await auditItems(auditLabels, events, scope)
  }

  const scopeOf = (person: WebPerson, users: readonly string[] | undefined): LabelScope => {
    const visible = visibleWorkspaces(person)
    return { users, workspaces: person.serverAdmin ? undefined : visible, explorationsOf: visible }
  }

  const withNames = async (events: readonly AuditRecord[]) => {
    const everything = { users: undefined, workspaces: undefined, explorationsOf: undefined }
    const labels = await auditLabels(idsIn(events), everything)
    return events.map((event) => {
      const user = labels.users.get(event.user_id ?? '')
      const credential = labels.credentials.get(event.credential_id ?? '')
      const workspace = labels.workspaces.get(event.workspace_id ?? '')
      const exploration = labels.explorations.get(event.exploration_id ?? '')
      return {
        ...event,
        ...(user && { user_email: user.email }),
        ...(credential && { credential_name: applicationName(credential) }),
        ...(workspace && { workspace: workspace.slug }),
        ...(exploration && { exploration: exploration.title })
      }
    })
  }

  const linesOf = async function * (pages: AsyncIterable<readonly AuditRecord[]>): AsyncGenerator<string> {
    for await (const page of pages) yield (await withNames(page)).map((event) => `${JSON.stringify(event)}\n`).join('')
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
      return { audit_events: await auditItems(auditLabels, items, scopeOf(person, reachFilter.users)), ...rest }
    },

    'GET /audit-events/export': async ({ query: { format, ...filter }, person, access, reply }) => {
      await credentials.markExpired()
      const reachFilter = await withinReach(deps, person, access, filter)
      const pages = pagesOf(reachFilter, scopeOf(person, reachFilter.users))
      return reply.type(MEDIA_TYPES[format])
        .header('content-disposition', `attachment; filename="audit-events.${format}"`)
        .send(Readable.from(exportLines(pages, format)))
    },

    'GET /admin/audit-events': async ({ query }) => {
      await credentials.markExpired()
      const events = await audit.list(query)
      if (events.length === 0) {
        // A name that no one has is refused, instead of an empty list.
        if (query.user !== undefined) await directory.findUser(query.user)
        if (query.credential !== undefined) await credentials.requireKnown(query.credential)
        if (query.workspace !== undefined) await directory.findWorkspace(query.workspace)
      }
      return { audit_events: await withNames(events) }
    },

    'GET /admin/audit-events/export': async ({ query: { limit: _, ...filter }, reply }) => {
      await credentials.markExpired()
      return reply.type('application/x-ndjson').send(Readable.from(linesOf(audit.all(filter))))
    }
  }
}

const isPosition = (position: unknown[]): position is [at: string, id: string] => {
  const [at, id] = position
  return position.length === 2 && typeof at === 'string' && isRowTime(at) && typeof id === 'string' &&
    /^\d{1,18}$/.test(id)
}
