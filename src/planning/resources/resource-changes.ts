/** Translates changed rows into notifications, for subscribers who may see them at that moment. */
import type { ResourceChange, ChangeNotifier, SubscriptionFilter } from '../../engine/subscriptions.js'
import type { UserPrincipal } from '../../lib/principal.js'
import type { ChangedRow, ChangeFeed } from '../change-feed.js'

export interface ResourceChangesDeps {
  scheme: string
  feed: Pick<ChangeFeed, 'position' | 'follow'>
  /** Returns one canonical spelling of a resource's URI; undefined for other URIs. */
  canonical (uri: string): string | undefined
  /** Returns the principal with its current permissions; undefined when its credential no longer works. */
  current (principal: UserPrincipal): Promise<UserPrincipal | undefined>
  /** Whether a caller's list of tools can change; not at a gateway, where no agent writes. */
  toolsChange: boolean
}

/** Creates the notifier, which reads the principal again before each batch and ends with its access. */
export const resourceChanges = (
  { scheme, feed, canonical, current, toolsChange }: ResourceChangesDeps
): ChangeNotifier<UserPrincipal> => ({
  lists: new Set(toolsChange ? ['tools', 'resources'] as const : ['resources'] as const),
  position: () => feed.position(),

  async * follow (principal, filter, after, signal) {
    let before = principal
    for await (const rows of feed.follow(isPosition(after) ? after : await feed.position(), signal)) {
      const notifications = await changesFor(rows, filter, principal, { scheme, canonical })
      if (notifications.length === 0 && !rows.some(({ user_id: user }) => user === principal.user.id)) continue
      const now = await current(principal)
      if (!now) return
      const visible = notifications.filter(({ row: { user_id: user, workspace_id: workspace } }) =>
        user !== null || (workspace !== null && now.workspaces.includes(workspace)))
      const changes = [...new Map(visible.map(({ change }) => [JSON.stringify(change), change])).values()]
      const last = rows.at(-1)
      if (last && changes.length > 0) yield { changes, position: last.position }
      if (lostWorkspace(before, now)) return
      before = now
    }
  }
})

export const lostWorkspace = (before: UserPrincipal, now: UserPrincipal | undefined): boolean =>
  before.workspaces.some((id) => !now?.workspaces.includes(id))

const changesFor = async (
  rows: readonly ChangedRow[], filter: SubscriptionFilter, { user }: UserPrincipal,
  { scheme, canonical }: Pick<ResourceChangesDeps, 'scheme' | 'canonical'>
) => {
  const uris = new Map([...await filter.uris()].map((uri) => [canonical(uri), uri]))
  return rows.flatMap((row) => {
    if (row.credential_id !== null || (row.user_id !== null && row.user_id !== user.id)) return []
    if (row.tools) return filter.lists.has('tools') ? [{ row, change: { kind: 'list', list: 'tools' } as const }] : []
    const changes: ResourceChange[] = urisOf(row, scheme).flatMap((uri) => {
      const named = uris.get(uri.toLowerCase())
      return named === undefined ? [] : [{ kind: 'updated', uri: named }]
    })
    // The resource list names each workspace, so it changes with the workspaces and the memberships.
    if (filter.lists.has('resources') && row.exploration_id === null) changes.push({ kind: 'list', list: 'resources' })
    return changes.map((change) => ({ row, change }))
  })
}

const urisOf = (row: ChangedRow, scheme: string): string[] => {
  const { workspace_id: workspace, exploration_id: exploration, artifact_type: artifact } = row
  if (exploration === null) return [`${scheme}://workspaces`]
  return [
    `${scheme}://exploration/${exploration}`,
    `${scheme}://workspace/${workspace}/explorations`,
    ...(artifact === null ? [] : [`${scheme}://exploration/${exploration}/artifact/${encodeURIComponent(artifact)}`])
  ]
}

const isPosition = (text: string): boolean => /^\d{1,19}\.\d{1,18}$/.test(text)
