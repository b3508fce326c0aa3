/** The four resources under the configured URI scheme. */
import { isArtifactType } from '../records.js'
import { lookUpExploration, lookUpExplorationDetail, requireWorkspace } from '../tools/access.js'
import type { Page } from '../store.js'
import type { PlanningResource } from '../tools/planning-tool.js'
import { locateResources } from './locate.js'

/** Of one resource. For more the tools have pages. */
const MAX_ENTRIES = 1000
const PAGE = 100
/** Workspaces on a page of the list of resources. */
const LISTED = 50
const MAX_COMPLETIONS = 100
/** How long a client may cache a resource: short, so that revoking access takes effect soon there too. */
const TTL_MS = 30_000
const JSON_TYPE = { mimeType: 'application/json', ttlMs: TTL_MS }

/** Reads the pages of a list until it ends or has `MAX_ENTRIES` items; `truncated` when there are more. */
const collectPages = async <Item>(
  read: (page: { limit: number, cursor: string | undefined }) => Promise<Page<Item>>
): Promise<{ items: Item[], truncated: boolean }> => {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await read({ limit: Math.min(PAGE, MAX_ENTRIES - items.length), cursor })
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined && items.length < MAX_ENTRIES)
  return { items, truncated: cursor !== undefined }
}

/** The data as JSON, modified at the latest of these times (RFC 3339 UTC with milliseconds). */
const json = (data: object, times: string[]) => {
  const last = times.sort().at(-1)
  return { mimeType: 'application/json', text: JSON.stringify(data), ...last !== undefined && { lastModified: last } }
}

const complete: NonNullable<PlanningResource['complete']> = async (variable, prefix, known, context) => {
  const { store: { workspaces: ofWorkspaces, explorations, packages }, principal: { workspaces: visible } } = context
  // PostgreSQL rejects U+0000, and no record contains one.
  if (prefix.includes('\0')) return []
  if (variable === 'artifactType') {
    // An empty one is not chosen yet.
    const id = known['explorationId'] || undefined
    const [isVisible] = await locateResources([{ variables: id === undefined ? {} : { explorationId: id } }], context)
    return isVisible ? packages.complete(visible, prefix, MAX_COMPLETIONS, id) : []
  }
  const listed = variable === 'workspaceId' ? ofWorkspaces : variable === 'explorationId' ? explorations : undefined
  return (await listed?.complete(visible, prefix, MAX_COMPLETIONS) ?? []).map(({ id }) => id)
}

const workspaces = (scheme: string): PlanningResource => ({
  template: `${scheme}://workspaces`,
  name: 'workspaces',
  title: 'Workspaces',
  description: 'The workspaces that your credential can see.',
  ...JSON_TYPE,
  async read (_variables, { store, principal, signal }) {
    const { items: found } = await collectPages((page) =>
      store.workspaces.list(principal.workspaces, { ...page, signal }))
    const total = principal.workspaces.length
    return json({ workspaces: found, total, ...(found.length < total && { truncated: true }) },
      found.map(({ created_at: at }) => at))
  }
})

const workspaceExplorations = (scheme: string): PlanningResource => ({
  template: `${scheme}://workspace/{workspaceId}/explorations`,
  name: 'workspace-explorations',
  title: 'Explorations of a workspace',
  description: 'Id, title, status and tags of every exploration in one workspace, which packages and plans exist; ' +
    'total counts those that are not archived.',
  ...JSON_TYPE,
  async read ({ workspaceId = '' }, context) {
    const { store, principal, signal } = context
    const id = requireWorkspace(context, workspaceId)
    const workspace = await store.workspaces.get(principal.workspaces, id)
    if (workspace === undefined) return undefined
    const { items: explorations, truncated } = await collectPages((page) =>
      store.explorations.list(id, { ...page, signal }))
    const { exploration_count: total, ...facts } = workspace
    return json({ workspace: facts, explorations, total, ...(truncated && { truncated }) },
      [workspace.created_at, ...explorations.map(({ updated_at: at }) => at)])
  },
  async list ({ store, principal, signal }, cursor) {
    const page = await store.workspaces.list(principal.workspaces, { limit: LISTED, cursor, signal })
    const entries = page.items.map(({ id, slug, name, description }) => ({
      uri: `${scheme}://workspace/${id}/explorations`,
      name: `${slug}-explorations`,
      title: `Explorations of ${name}`,
      mimeType: 'application/json',
      ...(description && { description })
    }))
    return { entries, ...(page.next_cursor !== undefined && { next: page.next_cursor }) }
  },
  complete
})

const exploration = (scheme: string): PlanningResource => ({
  template: `${scheme}://exploration/{explorationId}`,
  name: 'exploration',
  title: 'Exploration',
  description: 'One exploration in full: metadata, summaries, questions and answers, approved recommendations, ' +
    'what else there is.',
  ...JSON_TYPE,
  async read ({ explorationId = '' }, context) {
    const found = await lookUpExplorationDetail(context, explorationId)
    if (found === undefined) return undefined
    const { plan, ...facts } = found
    const recommendations = await context.store.recommendations.approved(found.id)
    const artifactTimes = found.artifacts.map(({ updated_at: at }) => at)
    return json({ ...facts, ...(plan !== null && { plan }), recommendations },
      [found.updated_at, ...artifactTimes, ...(plan === null ? [] : [plan.updated_at])])
  },
  complete
})

const artifact = (scheme: string): PlanningResource => ({
  template: `${scheme}://exploration/{explorationId}/artifact/{artifactType}`,
  name: 'artifact',
  title: 'Requirement package',
  description: 'The markdown of one requirement package, typically of type design or code.',
  mimeType: 'text/markdown',
  ttlMs: TTL_MS,
  async read ({ explorationId = '', artifactType = '' }, context) {
    const id = await lookUpExploration(context, explorationId)
    if (id === undefined || !isArtifactType(artifactType)) return undefined
    const found = await context.store.packages.get(id, artifactType, context.signal)
    return found && { mimeType: 'text/markdown', text: found.markdown, lastModified: found.updated_at }
  },
  complete
})

/** Creates the resources; `scheme` is the URI scheme without the colon. */
export const resources = (scheme: string): ReadonlyArray<PlanningResource> =>
  [workspaces(scheme), workspaceExplorations(scheme), exploration(scheme), artifact(scheme)]
