/** Handlers: how coding agents are connected, and decisions about those that wait for a token (RFC 8628). */
import type { PendingDevice } from '../../access/credentials/device-grants.js'
import { Refusal } from '../../lib/errors.js'
import { CLIENT } from '../credential-check.js'
import type { Handlers } from '../handler.js'
import type { connectOperations } from '../operations/connect.js'
import type { PageDeps } from '../page-deps.js'
import type { WebPerson } from '../permission.js'
import { auditItems } from '../views/audit-view.js'
import { markInvisible } from '../views/mark-invisible.js'
import { visibleWorkspaces } from '../visible-workspaces.js'

const PREFIX = 'tools/call '
// Of the newest calls, as many as tests of keys may have made.
const LATEST = 50
const DAY_MS = 86_400_000

export const connectHandlers = (
  { endpoint, oauthEndpoint, api, audit, auditLabels, devices }: PageDeps
): Handlers<typeof connectOperations> => ({
  'GET /connect': async () => {
    // Loaded for this page only: it brings parsers of every agent's kind of file.
    const { connectGuides } = await import('../views/connect-guides.js')
    return connectGuides(endpoint(), oauthEndpoint())
  },

  'GET /first-steps': async ({ person, person: { user, serverAdmin } }) => {
    const [workspaces, credentials, calls] = await Promise.all([
      api.workspaces.list(user.id, { others: serverAdmin, archived: false }),
      api.credentials.page({ user: user.id, revoked: false }, { limit: 20 }),
      audit.list({ users: [user.id], action: PREFIX, limit: LATEST })
    ])
    const planned = workspaces.filter(({ exploration_count: count }) => count > 0)
    const call = calls.find(({ client }) => client?.startsWith(CLIENT.name) !== true)
    const scope = { users: [], workspaces: [], explorationsOf: visibleWorkspaces(person) }
    const [item] = call ? await auditItems(auditLabels, [call], scope) : []
    return {
      imported: planned.length > 0,
      joined: planned.some(({ role }) => role !== null),
      connected: credentials.items.some(({ state }) => state === 'active'),
      call: item
        ? {
            at: item.at,
            tool: item.action.slice(PREFIX.length),
            ...item.client !== undefined && { client: item.client.replace(/\/[^/]*$/, '') },
            ...item.exploration?.title !== undefined && { exploration: item.exploration.title }
          }
        : null
    }
  },

  'GET /devices/:code': async ({ params: { code }, person }) => shownTo(person, await devices.find(code)),

  'POST /devices/:code/approval': async ({ params: { code }, body, person, note }) => {
    const { scope, workspaces, expires_in_days: days } = body
    const device = shownTo(person, await devices.find(code))
    note({ target: device.id })
    const limits = { scope, workspaces, expiresIn: days && days * DAY_MS }
    return shownTo(person, await devices.approve(code, person.user.id, person.user.email, limits))
  },

  'POST /devices/:code/denial': async ({ params: { code }, person, actor, note }) => {
    if (person) note({ target: shownTo(person, await devices.find(code)).id })
    return shownTo(person, await devices.deny(code, actor))
  },

  'GET /admin/devices': async () => ({ devices: await devices.list() }),

  'POST /admin/devices/:code/approval': async ({ params: { code }, body, actor }) => {
    const { user, scope, workspaces, expires_in: seconds } = body
    return await devices.approve(code, user, actor, { scope, workspaces, expiresIn: seconds && seconds * 1000 })
  }
})

/**
 * The device as a person may see it. Anybody may ask for a code: the names of the machine and the program are theirs,
 * and decide whether a person approves.
 * @throws {Refusal} `not_found` for a code that another person approved: it is as if it was unknown
 */
const shownTo = (person: WebPerson | undefined, device: PendingDevice): PendingDevice => {
  if (!person) return device
  if (device.state === 'approved' && device.user !== person.user.email) {
    throw new Refusal('No one waits with this code: it is mistyped, older than ten minutes, or was decided ' +
      'already.', 'not_found')
  }
  const { name, client_id: client } = device
  return { ...device, name: markInvisible(name), client_id: client === null ? null : markInvisible(client) }
}
