/** Usage as its page shows it: a series without gaps, groups with names, and how near credentials are to limits. */
import type { CredentialLabel } from '../../db/audit/sql-audit-labels.js'
import type { CredentialReach } from '../../db/credentials/sql-credential-list.js'
import { percentile } from '../../db/postgres/latency-scale.js'
import type { UsageCounts } from '../../db/audit/sql-usage.js'
import type { UsageQuestion } from '../../db/audit/usage-statement.js'
import { applicationName, credentialLabel } from '../../lib/text/application-name.js'
import { Refusal } from '../../lib/errors.js'
import type { Access, WebPerson } from '../permission.js'
import { limitsOf } from './credential-items.js'
import { markInvisible } from './mark-invisible.js'
import type { QueryOf, ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'
import { requireKnownWorkspace } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

type UsageOperation = PageOperations['GET /usage']
type UsageView = ResponseOf<UsageOperation>

const DAY_MS = 86_400_000
const MAX_DAYS = 92
const MAX_LIMITS = 10
const MAX_LIMITED = 500
const NOTHING: UsageCounts = { calls: 0, errors: 0, refused: 0, latencies: [] }

/** @throws {Refusal} for an empty or too long range, an unknown time zone, or a workspace that is not the person's */
export const usageView = async (
  deps: PageDeps,
  person: WebPerson,
  access: Access,
  query: QueryOf<UsageOperation>
): Promise<UsageView> => {
  const { by, group, owner, time_zone: timeZone } = query
  const { from, to } = rangeOf(query)
  const { api } = deps
  if (!await api.usage.isTimeZone(timeZone)) {
    throw new Refusal('There is no time zone of this name: use one such as Europe/Berlin or UTC.')
  }
  const workspace = query.workspace === undefined
    ? undefined
    : (await requireKnownWorkspace(api.workspaces, person, query.workspace)).id
  const all = owner === 'all' && access.all
  const users = all ? undefined : await api.credentials.ownUsers(person.user.id)
  const question: UsageQuestion = { from, to, by, group, timeZone, users, workspace }
  const answer = await api.usage.ask(question)
  const series = answer.starts.map((start) => ({ start, ...toFigures(answer.series.get(start) ?? NOTHING) }))
  const labels = await labelsOf(deps, question, answer.groups.map(({ key }) => key))
  return {
    from,
    to,
    by,
    time_zone: timeZone,
    series,
    totals: toFigures(sumOf([...answer.series.values()])),
    groups: answer.groups.map(({ key, values, ...counts }) => ({
      key, label: labels(key), ...toFigures(counts), values: answer.starts.map((start) => values.get(start) ?? 0)
    })),
    groups_omitted: answer.groupsOmitted,
    refusals: answer.refusals.map(({ reason, count }) => ({ reason: markInvisible(reason), count })),
    limits: await nearestLimits(deps, users && { users, limitedTo: [] })
  }
}

const rangeOf = ({ from, to }: QueryOf<UsageOperation>): { from: string, to: string } => {
  const end = to === undefined ? Date.now() : Date.parse(to)
  const start = from === undefined ? end - DAY_MS : Date.parse(from)
  if (!(start < end)) throw new Refusal('The range is empty: "from" has to be before "to".')
  if (end - start > MAX_DAYS * DAY_MS) throw new Refusal(`The range is longer than ${MAX_DAYS} days: ask for less.`)
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
}

const toFigures = ({ calls, errors, refused, latencies }: UsageCounts) =>
  ({ calls, errors, refused, p50_ms: percentile(latencies, 0.5), p95_ms: percentile(latencies, 0.95) })

const sumOf = (all: readonly UsageCounts[]): UsageCounts => all.reduce((sum, { latencies, ...counts }) => ({
  calls: sum.calls + counts.calls,
  errors: sum.errors + counts.errors,
  refused: sum.refused + counts.refused,
  latencies: latencies.map((count, index) => count + (sum.latencies[index] ?? 0))
}), NOTHING)

const labelsOf = async (
  { auditLabels }: PageDeps, { group, users }: UsageQuestion, keys: readonly string[]
): Promise<(key: string) => string> => {
  if (group !== 'credential') return (key) => key === '' ? 'unknown' : markInvisible(key)
  const { credentials } = await auditLabels(
    { users: [], credentials: keys.filter((key) => key !== ''), workspaces: [], explorations: [] },
    { users, workspaces: [], explorationsOf: [] }
  )
  return (key) => {
    if (key === '') return 'no credential'
    const label = credentials.get(key)
    return label ? labelOf(label) : 'deleted credential'
  }
}

const labelOf = (
  { name, host, kind, client_kind: clientKind }: Pick<CredentialLabel, 'name' | 'host' | 'kind' | 'client_kind'>
): string => credentialLabel({
  name: markInvisible(applicationName({ name, host })), kind, client_kind: clientKind ?? undefined
})

/** Of each credential the limit that it is nearest to; the nearest first. */
const nearestLimits = async (
  deps: PageDeps, reach: CredentialReach | undefined
): Promise<UsageView['limits']> => {
  const credentials = await deps.api.credentials.recentlyUsed(reach, MAX_LIMITED)
  const limits = await limitsOf(deps, credentials)
  return credentials.flatMap((entry, index) => {
    const windows = limits[index]
    if (!windows) return []
    const credential = { id: entry.id, kind: entry.kind, name: labelOf(entry), hint: entry.hint }
    const { minute, day } = windows
    const window = minute.used / minute.cap > day.used / day.cap ? 'minute' as const : 'day' as const
    const { used, cap } = windows[window]
    return used > 0 ? [{ credential, window, used, cap }] : []
  }).sort((one, other) => other.used / other.cap - one.used / one.cap).slice(0, MAX_LIMITS)
}
