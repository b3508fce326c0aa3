/** `users create`, `users list` */
import type { UserEntry } from '../db/sql-directory.js'
import type { User } from '../planning/records.js'
import { harmless, print, printList } from './print.js'
import type { Run } from './command-handler.js'
import { withManagement } from './with-management.js'

interface Create { email: string, name: string, kind: User['kind'], owner?: string }

export const create: Run<Create> = async ({ email, name, kind, owner, json }, surroundings, flags) => {
  const body = { email, name, kind, ...(owner !== undefined && { owner }) }
  const user = await withManagement(surroundings, flags, (api) => api.call<User>('POST', '/users', { body }))
  print({ ...surroundings, json }, user, `Created ${harmless(user.name)} <${harmless(user.email)}>, id ${user.id}.`)
}

export const list: Run = async ({ json }, surroundings, flags) => {
  const { users } = await withManagement(surroundings, flags, (api) => api.call<{ users: UserEntry[] }>('GET', '/users'))
  printList({ ...surroundings, json }, users, [
    ['ID', ({ id }) => id], ['EMAIL', ({ email }) => email], ['NAME', ({ name }) => name], ['KIND', ({ kind }) => kind],
    ['WORKSPACES', ({ memberships }) => memberships], ['OWNER', ({ owner }) => owner]
  ], 'There are no users yet.')
}
