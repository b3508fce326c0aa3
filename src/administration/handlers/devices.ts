/** Handlers: decisions about coding agents that wait for a token (RFC 8628). */
import type { PendingDevice } from '../../access/credentials/device-grants.js'
import { Refusal } from '../../lib/errors.js'
import type { HandlersOf } from '../handler.js'
import type { connectOperations } from '../operations/connect.js'
import type { WebPerson } from '../permission.js'
import type { ManagementPorts } from '../ports.js'
import { markInvisible } from '../views/mark-invisible.js'

const DAY_MS = 86_400_000

type DeviceOperation = Exclude<keyof typeof connectOperations, 'GET /connect' | 'GET /first-steps'>

/** Returns the handlers by method and path. An unknown or expired code is a `Refusal`. */
export const devicesHandlers = (
  { devices }: Pick<ManagementPorts, 'devices'>
): HandlersOf<typeof connectOperations, DeviceOperation> => ({
  'GET /devices/:code': async ({ params: { code }, person }) => shownTo(person, await devices.find(code)),

  'POST /devices/:code/approval': async ({ params: { code }, body, person, note }) => {
    const { scope, workspaces, expires_in_days: days } = body
    const device = shownTo(person, await devices.find(code))
    note({ target: device.id })
    return shownTo(person, await devices.approve(code, person.user.id, person.user.email, {
      scope,
      workspaces,
      expiresIn: days && days * DAY_MS
    }))
  },

  'POST /devices/:code/denial': async ({ params: { code }, person, actor, note, record }) => {
    if (person) note({ target: shownTo(person, await devices.find(code)).id })
    const denied = await devices.deny(code, actor)
    await record('device/denied')
    return shownTo(person, denied)
  },

  'GET /admin/devices': async () => ({ devices: await devices.list() }),

  'POST /admin/devices/:code/approval': async ({ params: { code }, body, actor, record }) => {
    const { user, scope, workspaces, expires_in: seconds } = body
    const approved = await devices.approve(code, user, actor, {
      scope, workspaces, expiresIn: seconds && seconds * 1000
    })
    await record('device/approved')
    return approved
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
