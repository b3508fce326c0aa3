/**
 * `users create`, `users list`, `users set-admin`, `users deactivate`, `users activate`, `users sign-out`: manage
 * people and service accounts.
 */
import type { UserEntry } from '../../db/people/sql-directory.js'
import type { Flags } from '../../config/config.js'
import type { User } from '../../planning/records.js'
import { stripControlChars, print, printList } from '../print/print.js'
import type { CliContext } from '../cli-context.js'
import type { CommandHandler } from '../command-handler.js'
import { withManagement } from '../with-management.js'

interface NewUserOptions { email: string, name: string, kind: User['kind'], owner?: string, serverAdmin?: true }

/**
 * Creates a user; `owner` is the person responsible for a service account, `serverAdmin` makes an administrator.
 * @throws {Refusal} when the e-mail address is in use
 */
export const create: CommandHandler<NewUserOptions> = async (
  { email, name, kind, owner, serverAdmin, json }, context, flags
) => {
  const body = {
    email, name, kind, ...(owner !== undefined && { owner }), ...(serverAdmin && { server_admin: true })
  }
  const user = await withManagement(
    context, flags, (api) => api.call('POST /users', { body }), { create: true })
  print({ ...context, json }, user, `Created ${stripControlChars(user.name)} <${stripControlChars(user.email)}>, id ` +
    `${user.id}.`)
}

/** Prints all users with the number of their workspaces. */
export const list: CommandHandler = async ({ json }, context, flags) => {
  const { users } = await withManagement(context, flags, (api) => api.call('GET /users'))
  printList({ ...context, json }, users, [
    ['ID', ({ id }) => id], ['EMAIL', ({ email }) => email], ['NAME', ({ name }) => name], ['KIND', ({ kind }) => kind],
    ['WORKSPACES', ({ memberships }) => memberships], ['OWNER', ({ owner }) => owner],
    ['SERVER ADMINISTRATOR', ({ server_admin: admin }) => admin ? 'yes' : ''],
    ['DEACTIVATED', ({ deactivated_at: at }) => at]
  ], 'There are no users yet.')
}

type ChangedUser = User & Pick<UserEntry, 'server_admin' | 'deactivated_at'>

const change = async (
  user: string, body: { server_admin?: boolean, active?: boolean }, context: CliContext, flags: Flags
): Promise<ChangedUser> =>
  await withManagement(context, flags, (api) => api.call('PATCH /users/:user', { params: { user }, body }))

const label = ({ name, email }: User): string => `${stripControlChars(name)} <${stripControlChars(email)}>`

/**
 * Makes a person a server administrator, or with `remove` takes that from them.
 * @throws {Refusal} for a service account, or when it is the last administrator that is removed
 */
export const setAdmin: CommandHandler<{ user: string, remove?: true }> = async (
  { user, remove, json }, context, flags
) => {
  const changed = await change(user, { server_admin: !remove }, context, flags)
  print({ ...context, json }, changed, `${label(changed)} is ` +
    `${remove ? 'no server administrator any more' : 'a server administrator'}.`)
}

/** Deactivates a user. @throws {Refusal} when it is the last server administrator */
export const deactivate: CommandHandler<{ user: string }> = async ({ user, json }, context, flags) => {
  const changed = await change(user, { active: false }, context, flags)
  print({ ...context, json }, changed, `${label(changed)} is deactivated: no session and no credential of theirs ` +
    'works any more.')
}

/** Activates a user again. */
export const activate: CommandHandler<{ user: string }> = async ({ user, json }, context, flags) => {
  const changed = await change(user, { active: true }, context, flags)
  print({ ...context, json }, changed, `${label(changed)} is active again, with the credentials of before.`)
}

/** Ends all sessions of a user; with `passkeys`, removes their passkeys too, as after the loss of a device. */
export const signOut: CommandHandler<{ user: string, passkeys?: true }> = async (
  { user, passkeys = false, json }, context, flags
) => {
  const ended = await withManagement(context, flags, (api) =>
    api.call('POST /users/:user/sign-out', { params: { user }, body: { passkeys } }))
  print({ ...context, json }, ended, `${label(ended.user)} is signed out: ${ended.sessions} sessions ended` +
    `${passkeys ? `, ${ended.passkeys} passkeys removed` : ''}.`)
}
