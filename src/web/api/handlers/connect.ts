/** Handlers: guides for connecting coding agents, and decisions about those that wait for a token. */
import type { PendingDevice } from '../../../access/credentials/device-grants.js'
import { Refusal } from '../../../lib/errors.js'
import type { WebPerson } from '../../permissions.js'
import type { Handlers } from '../handler.js'
import type { connectOperations } from '../operations/connect.js'
import { markInvisible } from '../mark-invisible.js'
import type { WebApiDeps } from '../web-api-deps.js'

const DAY_MS = 86_400_000

/** Returns the handlers by method and path. */
export const connectHandlers = (
  { endpointOf, oauthEndpointOf, devices }: WebApiDeps
): Handlers<typeof connectOperations> => ({
  'GET /connect': async ({ request }) => {
    // Loaded for this page only: it brings parsers of every agent's kind of file.
    const { connectGuides } = await import('../connect-guides.js')
    return connectGuides(endpointOf(request), oauthEndpointOf(request))
  },

  'GET /devices/:code': async ({ params: { code }, person }) => markDevice(shownTo(person, await devices.find(code))),

  'POST /devices/:code/approval': async ({ params: { code }, body, person, note }) => {
    const { scope, workspaces, expires_in_days: days } = body
    const device = shownTo(person, await devices.find(code))
    note({ target: device.id })
    return markDevice(await devices.approve(code, person.user.id, person.user.email, {
      scope,
      workspaces,
      expiresIn: days && days * DAY_MS
    }))
  },

  'POST /devices/:code/denial': async ({ params: { code }, person, note }) => {
    const device = shownTo(person, await devices.find(code))
    note({ target: device.id })
    return markDevice(await devices.deny(code, person.user.email))
  }
})

/**
 * Anybody may ask for a code: the names of the machine and the program are theirs, and decide whether a person
 * approves.
 */
const markDevice = ({ name, client_id: client, ...device }: PendingDevice): PendingDevice => ({
  ...device, name: markInvisible(name), client_id: client === null ? null : markInvisible(client)
})

/** A code that somebody else approved is theirs: it is as if it was unknown. */
const shownTo = ({ user }: WebPerson, device: PendingDevice): PendingDevice => {
  if (device.state === 'approved' && device.user !== user.email) {
    throw new Refusal('Nobody waits with this code: it is mistyped, older than ten minutes, or was decided ' +
      'already.', 'not_found')
  }
  return device
}
