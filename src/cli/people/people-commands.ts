/** `users`, `members`, `workspaces` and `sign-in-link`: people, their roles, and how they sign in to the pages. */
import { Option, type Command } from 'commander'
import { rolesSentence } from '../../administration/role-words.js'
import { AGENT_POLICIES, POLICY_WORDS } from '../../planning/agent-policy.js'
import type { Membership, User } from '../../planning/records.js'
import type { AddCommand } from '../add-command.js'
import { listed, managed } from '../managed.js'
import type { ManagementClient } from '../management-client.js'
import { USER, USER_OR_ADMINISTRATOR, WORKSPACE, YES } from '../option-values.js'
import { stripControlChars } from '../print/print.js'

interface NewUser { email: string, name: string, kind: User['kind'], owner?: string, serverAdmin?: true }
interface Named { user: string }
interface Member extends Named { workspace: string }

const label = ({ name, email }: User): string => `${stripControlChars(name)} <${stripControlChars(email)}>`

const change = (api: ManagementClient, user: string, body: { server_admin?: boolean, active?: boolean }) =>
  api.call('PATCH /users/:user', { params: { user }, body })

export const userCommands = (root: Command, command: AddCommand): void => {
  const users = root.command('users').description('people and service accounts')
  command(users, 'create', 'add a user', managed(
    (api, { email, name, kind, owner, serverAdmin }: NewUser) =>
      api.call('POST /users', { body: { email, name, kind, owner, server_admin: serverAdmin } }),
    (user) => `Created ${label(user)}, id ${user.id}.`, { create: true }
  ))
    .requiredOption('--email <address>', 'the e-mail address')
    .requiredOption('--name <name>', 'the name')
    .addOption(new Option('--kind <kind>').choices(['person', 'service_account']).default('person'))
    .option('--owner <user>', 'the person responsible for a service account: id or e-mail address')
    .option('--server-admin', 'let this person do everything in the web application')
  command(users, 'set-admin', 'make a person a server administrator of the web application', managed(
    (api, { user, remove }: Named & { remove?: true }) => change(api, user, { server_admin: !remove }),
    (user, { remove }) => `${label(user)} is ${remove ? 'no server administrator any more' : 'a server administrator'}.`
  ))
    .requiredOption(...USER)
    .option('--remove', 'take it from them')
  command(users, 'deactivate', 'end all sessions and credentials of a user, at once', managed(
    (api, { user }: Named) => change(api, user, { active: false }),
    (user) => `${label(user)} is deactivated: no session and no credential of theirs works any more.`
  )).requiredOption(...USER)
  command(users, 'activate', 'let a deactivated user in again', managed(
    (api, { user }: Named) => change(api, user, { active: true }),
    (user) => `${label(user)} is active again, with the credentials of before.`
  )).requiredOption(...USER)
  command(users, 'sign-out', 'end all sessions of a user, at once; keys and tokens go on', managed(
    (api, { user, passkeys = false }: Named & { passkeys?: boolean }) =>
      api.call('POST /users/:user/sign-out', { params: { user }, body: { passkeys } }),
    ({ user, sessions, passkeys: removed }, { passkeys }) =>
      `${label(user)} is signed out: ${sessions} sessions ended${passkeys ? `, ${removed} passkeys removed` : ''}.`
  ))
    .requiredOption(...USER)
    .option('--passkeys', 'remove their passkeys too, as after the loss of a device')
  command(users, 'list', 'list users', listed(async (api) => (await api.call('GET /users')).users, [
    ['ID', ({ id }) => id], ['EMAIL', ({ email }) => email], ['NAME', ({ name }) => name], ['KIND', ({ kind }) => kind],
    ['WORKSPACES', ({ memberships }) => memberships], ['OWNER', ({ owner }) => owner],
    ['SERVER ADMINISTRATOR', ({ server_admin: admin }) => admin ? 'yes' : ''],
    ['DEACTIVATED', ({ deactivated_at: at }) => at]
  ], 'There are no users yet.'))
}

export const memberCommands = (root: Command, command: AddCommand): void => {
  const members = root.command('members').description('members of workspaces and their roles')
  command(members, 'add', 'add a member or change their role', managed(
    (api, { user, workspace, role }: Member & { role: Membership['role'] }) =>
      api.call('PUT /people/:id/memberships/:workspace', { params: { id: user, workspace }, body: { role } }),
    ({ role }, { user, workspace }) => `${stripControlChars(user)} is ${role} of ${stripControlChars(workspace)}.`
  ))
    .requiredOption(...USER)
    .requiredOption(...WORKSPACE)
    .addOption(
      new Option('--role <role>', rolesSentence()).choices(['viewer', 'editor', 'admin']).makeOptionMandatory())
  command(members, 'remove', 'remove a member', managed(
    (api, { user, workspace }: Member) =>
      api.call('DELETE /people/:id/memberships/:workspace', { params: { id: user, workspace } }),
    (_, { user, workspace }) => `${stripControlChars(user)} is no member of ${stripControlChars(workspace)} any more.`
  ))
    .requiredOption(...USER)
    .requiredOption(...WORKSPACE)

  const workspaces = root.command('workspaces').description('workspaces, and what agents may do in each')
  command(workspaces, 'list', 'list workspaces', listed(
    async (api) => (await api.call('GET /admin/workspaces')).workspaces, [
      ['ID', ({ id }) => id], ['SLUG', ({ slug }) => slug], ['NAME', ({ name }) => name],
      ['AGENTS', ({ agents }) => agents], ['EXPLORATIONS', ({ exploration_count: count }) => count],
      ['MEMBERS', ({ member_count: count }) => count], ['ARCHIVED', ({ archived_at: at }) => at]
    ], 'There are no workspaces yet.'))
  command(workspaces, 'update <workspace>', 'let agents write in a workspace, or no longer: id or slug',
    async (...call) => (await import('./update-workspace.js')).updateWorkspace(...call))
    .addOption(new Option('--agents <policy>', `what agents may do. ${POLICIES}`)
      .choices(AGENT_POLICIES).makeOptionMandatory())
    .option(...YES)
}

const POLICIES = AGENT_POLICIES.map((policy) => `${policy}: ${POLICY_WORDS[policy]}`).join('; ')

export const signInLinkCommand = (root: Command, command: AddCommand): void => {
  command(root, 'sign-in-link', 'print a link that signs a person in to the web application, once, within 15 minutes',
    async (...call) => (await import('./sign-in-link.js')).signInLink(...call))
    .option('--user <user>', USER_OR_ADMINISTRATOR)
}
