/** Audit events for pages and exports: whose events someone sees, and names for the ids in them. */
import type { AuditFilter, AuditRecord } from '../../access/audit/audit-log.js'
import { idsIn, type CredentialLabel, type LabelScope, type ReadAuditLabels } from '../../db/audit/sql-audit-labels.js'
import { applicationName } from '../../lib/text/application-name.js'
import type { Access, WebPerson } from '../permission.js'
import { markInvisible } from './mark-invisible.js'
import type { ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'
import type { PageDeps } from '../page-deps.js'

export type AuditItem = ResponseOf<PageOperations['GET /audit-events']>['audit_events'][number]

/** Adds to a filter that the person sees own events only, unless the operation reaches all. */
export const withinReach = async <Filter extends object>(
  { api }: Pick<PageDeps, 'api'>, { user }: WebPerson, { all }: Access, filter: Filter
): Promise<Filter & Pick<AuditFilter, 'users'>> =>
  all ? filter : { ...filter, users: await api.credentials.ownUsers(user.id) }

/** The id in the target of a change in the pages: of a person, or of something else that has no label. */
const TARGET_ID = /^web\/\w+ (?:of )?([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})\b/

const targetOf = ({ action }: AuditRecord): string[] => TARGET_ID.exec(action)?.slice(1) ?? []

export const auditItems = async (
  readLabels: ReadAuditLabels, events: readonly AuditRecord[], scope: LabelScope
): Promise<AuditItem[]> => {
  const ids = idsIn(events)
  const users = [...new Set([...ids.users, ...events.flatMap(targetOf)])]
  const labels = await readLabels({ ...ids, users }, scope)
  return events.map((event) => {
    const { id, at, action, outcome, client, actor, count, user_id: user, workspace_id: workspace } = event
    const { credential_id: credential, credential_kind: kind, exploration_id: exploration } = event
    const subject = withVisibleName(labels.users.get(targetOf(event)[0] ?? ''))
    const title = exploration == null ? undefined : labels.explorations.get(exploration)?.title
    return {
      id,
      at,
      action: markInvisible(action),
      outcome,
      ...(user != null && { user: withVisibleName(labels.users.get(user)) ?? { id: user } }),
      ...(subject && { subject }),
      ...(credential != null && {
        credential: credentialView(labels.credentials.get(credential)) ?? { id: credential, ...(kind && { kind }) }
      }),
      ...(workspace != null && { workspace: withVisibleName(labels.workspaces.get(workspace)) ?? { id: workspace } }),
      ...(exploration != null &&
        { exploration: { id: exploration, ...(title !== undefined && { title: markInvisible(title) }) } }),
      duration_ms: event.duration_ms,
      request_id: event.request_id,
      ...(client != null && { client: markInvisible(client) }),
      remote_address: event.remote_address,
      ...(actor !== undefined && { actor: markInvisible(actor) }),
      ...(count !== undefined && { count }),
      ...(event.reported_by !== undefined && { reported_by: markInvisible(event.reported_by) })
    }
  })
}

const withVisibleName = <Label extends { name: string }>(label: Label | undefined): Label | undefined =>
  label && { ...label, name: markInvisible(label.name) }

const credentialView = (label: CredentialLabel | undefined): AuditItem['credential'] => label && {
  id: label.id,
  kind: label.kind,
  name: markInvisible(applicationName(label)),
  hint: label.hint,
  ...(label.client_kind !== null && { client_kind: label.client_kind })
}

const COLUMNS: ReadonlyArray<[string, (item: AuditItem) => string | number | undefined]> = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['user_id', ({ user }) => user?.id],
  ['user_email', ({ user }) => user?.email],
  ['credential_id', ({ credential }) => credential?.id],
  ['credential_name', ({ credential }) => credential?.name],
  ['workspace_id', ({ workspace }) => workspace?.id],
  ['workspace', ({ workspace }) => workspace?.slug],
  ['exploration_id', ({ exploration }) => exploration?.id],
  ['exploration', ({ exploration }) => exploration?.title],
  ['duration_ms', ({ duration_ms: ms }) => ms],
  ['request_id', ({ request_id: id }) => id],
  ['client', ({ client }) => client],
  ['remote_address', ({ remote_address: address }) => address],
  ['actor', ({ actor }) => actor],
  ['count', ({ count }) => count],
  ['reported_by', ({ reported_by: by }) => by]
]

export async function * exportLines (
  pages: AsyncIterable<readonly AuditItem[]>, format: 'ndjson' | 'csv'
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(COLUMNS.map(([name]) => name))
  for await (const items of pages) {
    yield items.map((item) => format === 'csv'
      ? csvLine(COLUMNS.map(([, valueOf]) => valueOf(item)))
      : `${JSON.stringify(item)}\n`).join('')
  }
}

/** One line of RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
const csvLine = (values: ReadonlyArray<string | number | undefined>): string =>
  `${values.map(cell).join(',')}\r\n`

const cell = (value: string | number | undefined): string => {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
