/** `users create`, `users list`: manage people and service accounts. */
import type { UserEntry } from '../db/sql-directory.js'
import type { User } from '../planning/records.js'
import { stripControlChars, print, printList } from './print.js'
import type { CommandHandler } from './command-handler.js'
import { withManagement } from './with-management.js'

interface NewUserOptions { email: string, name: string, kind: User['kind'], owner?: string }

export const create: CommandHandler<NewUserOptions> = async ({ email, name, kind, owner, json }, context, flags) => {
  const body = { email, name, kind, ...(owner !== undefined && { owner }) }
  const user = await withManagement(context, flags, (api) => api.call<User>('POST', '/users', { body }))
  print({ ...context, json }, user, `Created ${stripControlChars(user.name)} <${stripControlChars(user.email)}>, id ` +
    `${user.id}.`)
}

export const list: CommandHandler = async ({ json }, context, flags) => {
  const { users } = await withManagement(context, flags, (api) => api.call<{ users: UserEntry[] }>('GET', '/users'))
  printList({ ...context, json }, users, [
    ['ID', ({ id }) => id], ['EMAIL', ({ email }) => email], ['NAME', ({ name }) => name], ['KIND', ({ kind }) => kind],
    ['WORKSPACES', ({ memberships }) => memberships], ['OWNER', ({ owner }) => owner]
  ], 'There are no users yet.')
}
