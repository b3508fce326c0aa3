/** Credentials as pages list them: with the workspaces they are limited to and the use of their limits now. */
import type { CredentialEntry } from '../../db/credentials/sql-credential-list.js'
import { capsOf, type LimitWindow } from '../../access/limits/rate-limit.js'
import type { WindowCount } from '../../access/limits/rate-limit-counter.js'
import type { WebPerson } from '../permission.js'
import { markInvisible } from './mark-invisible.js'
import type { ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'
import { nameLimits } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

export type CredentialItem = ResponseOf<PageOperations['GET /keys']>['keys'][number]
type Limits = NonNullable<CredentialItem['limits']>

/** Absent for the operator. */
type Counting = Partial<Pick<PageDeps, 'rateLimitCounter' | 'config'>>

const WINDOWS: ReadonlyArray<[LimitWindow, number]> = [['minute', 60_000], ['day', 86_400_000]]

/** Reads the use of the limits of each credential in one step; null while it cannot be read. */
export const limitsOf = async (
  { rateLimitCounter, config }: Counting,
  credentials: readonly CredentialEntry[]
): Promise<Array<Limits | null>> => {
  if (credentials.length === 0) return []
  if (!rateLimitCounter || !config) return credentials.map(() => null)
  const caps = capsOf(config)
  const own = ({ kind, scope }: CredentialEntry) => caps[kind === 'personal_access_token' ? 'pat' : scope]
  const hits = credentials.map((credential) => ({
    key: credential.id, windows: WINDOWS.map(([window, ms]) => ({ ms, max: own(credential)[window] }))
  }))
  // A list of credentials is worth showing without its figures.
  const counts = await rateLimitCounter.peek(hits).catch(() => undefined)
  return credentials.map((credential, index) => {
    const usage = counts?.[index]
    if (!usage) return null
    const use = (place: number, window: LimitWindow) => useOf(usage[place], own(credential)[window])
    return { minute: use(0, 'minute'), day: use(1, 'day') }
  })
}

/** The counter goes beyond the limit by the hit that was refused. */
const useOf = (count: WindowCount | undefined, cap: number): Limits['minute'] => ({
  used: Math.min(count?.current ?? 0, cap),
  cap,
  resets_at: count && count.current > 0 && count.ttl > 0 ? new Date(Date.now() + count.ttl).toISOString() : null
})

/** Leaves out workspaces that the person does not know. A terminal shows invisible characters in a way of its own. */
export const credentialItems = async (
  deps: Pick<PageDeps, 'api'> & Counting, person: WebPerson | undefined, credentials: readonly CredentialEntry[]
): Promise<CredentialItem[]> => {
  const limits = await limitsOf(deps, credentials)
  const namesOf = await nameLimits(deps.api.workspaces, person, credentials)
  const shown = person ? markInvisible : (name: string) => name
  return credentials.map(({ service_account: _, owner_id: _owner, ...credential }, index) => ({
    ...credential,
    name: shown(credential.name),
    user: { ...credential.user, name: shown(credential.user.name) },
    workspaces: namesOf(credential.workspace_ids),
    limits: limits[index] ?? null
  }))
}
