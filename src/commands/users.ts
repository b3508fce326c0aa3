/** `users create`, `users list` */
import type { User } from '../store/records.js'
import { harmless, print, printList } from './print.js'
import type { Run } from './run.js'
import { withManagement } from './with-management.js'

type Entry = User & { memberships: number }

export const create: Run<{ email: string, name: string, kind: User['kind'] }> = async ({ email, name, kind, json }, surroundings, flags) => {
  const user = await withManagement(surroundings, flags, (api) => api.call<User>('POST', '/users', { body: { email, name, kind } }))
  print({ ...surroundings, json }, user, `Created ${harmless(user.name)} <${harmless(user.email)}>, id ${user.id}.`)
}

export const list: Run = async ({ json }, surroundings, flags) => {
  const { users } = await withManagement(surroundings, flags, (api) => api.call<{ users: Entry[] }>('GET', '/users'))
  printList({ ...surroundings, json }, users, [
    ['ID', ({ id }) => id], ['EMAIL', ({ email }) => email], ['NAME', ({ name }) => name], ['KIND', ({ kind }) => kind],
    ['WORKSPACES', ({ memberships }) => memberships]
  ], 'There are no users yet.')
}
