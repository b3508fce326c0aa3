/** What a server with a database does for each operation that gateways call. */
import type { OwnCredentials } from '../../access/credentials/credentials.js'
import type { DeviceGrants } from '../../access/credentials/device-grants.js'
import { callers } from '../client/credential-operations.js'
import { records } from '../client/record-operations.js'
import { sessions } from '../client/session-operations.js'
import type { PlatformOperation } from '../client/operation.js'
import type { AuditLog } from '../../access/audit/audit-log.js'
import { SERVER } from '../../config/server-info.js'
import type { ChangeSource } from '../../planning/change-feed.js'
import type { EndedSessionStore } from '../../engine/eras/legacy/session.js'
import type { SessionPreferencesStore } from '../../engine/eras/legacy/session-preferences.js'
import { requireRefusal } from '../../lib/errors.js'
import type { UserPrincipal } from '../../lib/principal.js'
import type { PageRequest, Store } from '../../planning/store.js'

export interface PlatformPorts {
  store: Store
  credentials: OwnCredentials
  devices: Pick<DeviceGrants, 'request' | 'redeem'>
  audit: Pick<AuditLog, 'record'>
  endedSessions: EndedSessionStore
  sessionPreferences: SessionPreferencesStore
  changes: ChangeSource
  /** The issuer of tokens of OAuth; absent, or undefined, where none are issued. */
  oauthIssuer?: (() => string | undefined) | undefined
}

export interface PlatformRequest<Body> {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | number | undefined>>
  body: Body
  from: string
  signal: AbortSignal
}

export const operations = { ...callers, ...records, ...sessions }

/** Resolves to the response of each operation, or to `undefined` for 404. */
export type PlatformWork = {
  [Id in keyof typeof operations]: (typeof operations)[Id] extends PlatformOperation<infer Answer, infer Body>
    ? (request: PlatformRequest<Body>) => Promise<Answer | undefined>
    : never
}

const PURGE_EVERY_MS = 3_600_000

/** Lists and searches read only the workspaces that the request names. */
export const platformWork = ({
  store: { workspaces, explorations, packages, plans, recommendations, search },
  credentials, devices, audit, endedSessions, sessionPreferences: preferences, changes, oauthIssuer
}: PlatformPorts): PlatformWork => {
  let purged = 0
  return {
    async getPlatform () {
      // Rejects when the database is unavailable.
      await changes.position()
      return { name: SERVER.name, version: SERVER.version, oauth_issuer: oauthIssuer?.() }
    },
    async verifyCredential ({ body: { secret, resource } }) {
      const verification = resource === undefined
        ? await credentials.verify(secret)
        : await credentials.verifyConnection(secret, resource)
      return 'principal' in verification ? { principal: sent(verification.principal) } : verification
    },
    async currentCredential ({ body }) {
      const principal = await credentials.refresh({ credential: { id: body.credential_id } })
      return principal ? { principal: sent(principal) } : {}
    },
    async revokeCredential ({ body: { kind, credential_id: id, by } }) {
      try {
        await credentials.revoke(kind, id, by)
        return { revoked: true }
      } catch (error) {
        requireRefusal(error)
        return { revoked: false }
      }
    },
    async requestDevice ({ body }) {
      const codes = await devices.request(body)
      return codes ? { codes } : {}
    },
    async redeemDevice ({ body }) {
      const token = await devices.redeem(body.device_code, body.client_id)
      return typeof token === 'string' ? { refused: token } : { token }
    },
    async keepAuditEvents ({ body: { events }, from }) {
      await Promise.all(events.map(({ id, ...event }) => audit.record({
        ...event, event_id: id, reported_by: `front at ${from}`
      })))
      return { kept: events.length }
    },

    async listWorkspaces ({ body: { workspace_ids: visible, ...page }, signal }) {
      const { items, ...rest } = await workspaces.list(visible, { ...page, signal })
      return { workspaces: items, ...rest }
    },
    getWorkspace: ({ params: { id = '' } }) => workspaces.get([id], id),
    completeWorkspaces: async ({ body: { workspace_ids: visible, prefix, limit } }) =>
      ({ workspaces: await workspaces.complete(visible, prefix, limit) }),
    async listExplorations ({ params: { id = '' }, query, signal }) {
      const { items, ...rest } = await explorations.list(id, { ...pageOf(query), signal })
      return { explorations: items, ...rest }
    },
    getExploration: ({ params: { id = '' } }) => explorations.get(id),
    async getExplorationWorkspace ({ params: { id = '' } }) {
      const workspace = await explorations.workspaceOf(id)
      return workspace === undefined ? undefined : { workspace_id: workspace }
    },
    completeExplorations: async ({ body: { workspace_ids: visible, prefix, limit } }) =>
      ({ explorations: await explorations.complete(visible, prefix, limit) }),
    async searchExplorations ({ body: { workspace_ids: visible, ...question }, signal }) {
      const { items, ...rest } = await search.find({ ...question, visible, signal })
      return { explorations: items, ...rest }
    },
    listPackages: async ({ params: { id = '' } }) => ({ artifact_types: await packages.types(id) }),
    getPackage: ({ params: { id = '', type = '' }, signal }) => packages.get(id, type, signal),
    completePackages: async ({ body: { workspace_ids: visible, prefix, limit, exploration_id: of } }) =>
      ({ artifact_types: await packages.complete(visible, prefix, limit, of) }),
    getPlan: ({ params: { id = '' }, signal }) => plans.get(id, signal),
    getPlanState: ({ params: { id = '' } }) => plans.state(id),
    async listRecommendations ({ params: { id = '' }, query }) {
      const kind = query['kind'] === 'strategy' || query['kind'] === 'recommendation' ? query['kind'] : undefined
      const found = await recommendations.approved(id, kind)
      return {
        recommendations: found.flatMap((one) => one.status === 'approved' ? { ...one, status: one.status } : [])
      }
    },

    // Reading changes also purges old ones, once an hour.
    async listChanges ({ query: { after } }) {
      if (performance.now() - purged > PURGE_EVERY_MS) {
        purged = performance.now()
        await changes.purge()
      }
      if (after === undefined) {
        return { position: await changes.position(), changes: [], ended_credentials: await changes.recentlyRevoked() }
      }
      const rows = await changes.after(String(after))
      return { position: rows.at(-1)?.position ?? String(after), changes: rows, ended_credentials: [] }
    },
    async findEndedSessions ({ body: { session_ids: ids } }) {
      const areEnded = await Promise.all(ids.map(async (id) => await endedSessions.has(id)))
      return { ended: ids.filter((_id, index) => areEnded[index]) }
    },
    async endSession ({ body: { session_id: id, expires_at: expires } }) {
      await endedSessions.add(id, Date.parse(expires))
      return {}
    },
    async getSessionNote ({ params: { session = '' } }) {
      const { logLevel, subscriptions } = await preferences.get(session)
      return { subscriptions: [...subscriptions], ...(logLevel && { log_level: logLevel }) }
    },
    async changeSessionNote ({ params: { session = '' }, body }) {
      const { expires_at: until, log_level: level, subscribe, unsubscribe } = body
      const expires = Date.parse(until)
      if (level !== undefined) await preferences.setLogLevel(session, level, expires)
      if (unsubscribe !== undefined) await preferences.unsubscribe(session, unsubscribe)
      return { noted: subscribe === undefined || await preferences.subscribe(session, subscribe, expires) }
    },
    async forgetSession ({ params: { session = '' } }) {
      await preferences.forget(session)
      return {}
    }
  }
}

const sent = ({ credential, user, workspaces }: UserPrincipal) => ({ credential, user, workspaces: [...workspaces] })

/** The schema has checked the types already. */
const pageOf = ({ limit, cursor }: PlatformRequest<unknown>['query']): PageRequest =>
  ({ limit: Number(limit), cursor: cursor === undefined ? undefined : String(cursor) })
