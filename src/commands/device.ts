/** `device list`, `device approve`, `device deny` */
import type { PendingDevice } from '../credentials/device-grants.js'
import { harmless, print, printList } from './print.js'
import type { Run } from './run.js'
import { withManagement } from './with-management.js'

const describe = ({ name, remote_address: from }: PendingDevice): string => `${harmless(name)} (asked from ${harmless(from)})`

export const approve: Run<{ code: string, user?: string }> = async ({ code, user, json }, surroundings, flags) => {
  const device = await withManagement(surroundings, flags, (api) =>
    api.call<PendingDevice>('POST', '/device/approvals', { body: { user_code: code, decision: 'approve', ...(user && { user }) } }))
  print({ ...surroundings, json }, device, `Approved ${describe(device)} for ${harmless(device.user ?? '')}: it fetches its token at its next poll.`)
}

export const deny: Run<{ code: string }> = async ({ code, json }, surroundings, flags) => {
  const device = await withManagement(surroundings, flags, (api) =>
    api.call<PendingDevice>('POST', '/device/approvals', { body: { user_code: code, decision: 'deny' } }))
  print({ ...surroundings, json }, device, `Denied ${describe(device)}.`)
}

export const list: Run = async ({ json }, surroundings, flags) => {
  const { devices } = await withManagement(surroundings, flags, (api) => api.call<{ devices: PendingDevice[] }>('GET', '/device/approvals'))
  printList({ ...surroundings, json }, devices, [
    ['NAME (DECLARED)', ({ name }) => name], ['FROM', ({ remote_address: from }) => from], ['ASKED', ({ created_at: at }) => at],
    ['EXPIRES', ({ expires_at: at }) => at], ['STATE', ({ state }) => state], ['USER', ({ user }) => user]
  ], 'No tool waits for approval.')
}
