/**
 * `users create`, `users list`, `users set-admin`, `users deactivate`, `users activate`, `users sign-out`: manage
 * people and service accounts.
 */
import type { User } from '../../planning/records.js'
import { listed, managed } from '../managed.js'
import type { ManagementClient } from '../management-client.js'
import { stripControlChars } from '../print/print.js'

interface NewUserOptions { email: string, name: string, kind: User['kind'], owner?: string, serverAdmin?: true }
interface Named { user: string }

const label = ({ name, email }: User): string => `${stripControlChars(name)} <${stripControlChars(email)}>`

/**
 * Creates a user; `owner` is the person responsible for a service account, `serverAdmin` makes an administrator.
 * @throws {Refusal} when the e-mail address is in use
 */
export const create = managed(
  (api, { email, name, kind, owner, serverAdmin }: NewUserOptions) =>
    api.call('POST /users', { body: { email, name, kind, owner, server_admin: serverAdmin } }),
  (user) => `Created ${label(user)}, id ${user.id}.`, { create: true }
)

/** Prints all users with the number of their workspaces. */
export const list = listed(async (api) => (await api.call('GET /users')).users, [
  ['ID', ({ id }) => id], ['EMAIL', ({ email }) => email], ['NAME', ({ name }) => name], ['KIND', ({ kind }) => kind],
  ['WORKSPACES', ({ memberships }) => memberships], ['OWNER', ({ owner }) => owner],
  ['SERVER ADMINISTRATOR', ({ server_admin: admin }) => admin ? 'yes' : ''],
  ['DEACTIVATED', ({ deactivated_at: at }) => at]
], 'There are no users yet.')

const change = (api: ManagementClient, user: string, body: { server_admin?: boolean, active?: boolean }) =>
  api.call('PATCH /users/:user', { params: { user }, body })

/**
 * Makes a person a server administrator, or with `remove` takes that from them.
 * @throws {Refusal} for a service account, or when it is the last administrator that is removed
 */
export const setAdmin = managed(
  (api, { user, remove }: Named & { remove?: true }) => change(api, user, { server_admin: !remove }),
  (user, { remove }) => `${label(user)} is ${remove ? 'no server administrator any more' : 'a server administrator'}.`
)

/** Deactivates a user. @throws {Refusal} when it is the last server administrator */
export const deactivate = managed(
  (api, { user }: Named) => change(api, user, { active: false }),
  (user) => `${label(user)} is deactivated: no session and no credential of theirs works any more.`
)

/** Activates a user again. */
export const activate = managed(
  (api, { user }: Named) => change(api, user, { active: true }),
  (user) => `${label(user)} is active again, with the credentials of before.`
)

/** Ends all sessions of a user; with `passkeys`, removes their passkeys too, as after the loss of a device. */
export const signOut = managed(
  (api, { user, passkeys = false }: Named & { passkeys?: boolean }) =>
    api.call('POST /users/:user/sign-out', { params: { user }, body: { passkeys } }),
  ({ user, sessions, passkeys: removed }, { passkeys }) => `${label(user)} is signed out: ${sessions} sessions ended` +
    `${passkeys ? `, ${removed} passkeys removed` : ''}.`
)
