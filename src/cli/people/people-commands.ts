/** The commands for people, their roles, and how they sign in to the web application. */
import { Option, type Command } from 'commander'
import { rolesSentence } from '../../administration/role-words.js'
import { AGENT_POLICIES, POLICY_WORDS } from '../../planning/agent-policy.js'
import type { AddCommand } from '../add-command.js'
import { USER_OR_ADMINISTRATOR } from '../option-values.js'

const USER: readonly [string, string] = ['--user <user>', 'id or e-mail address']

/** Adds `users`, `members` and `workspaces`. */
export const peopleCommands = (root: Command, command: AddCommand): void => {
  const users = root.command('users').description('people and service accounts')
  command(users, 'create', 'add a user', () => import('./users.js'), 'create')
    .requiredOption('--email <address>', 'the e-mail address')
    .requiredOption('--name <name>', 'the name')
    .addOption(new Option('--kind <kind>').choices(['person', 'service_account']).default('person'))
    .option('--owner <user>', 'the person responsible for a service account: id or e-mail address')
    .option('--server-admin', 'let this person do everything in the web application')
  command(users, 'set-admin', 'make a person a server administrator of the web application',
    () => import('./users.js'), 'setAdmin')
    .requiredOption(...USER)
    .option('--remove', 'take it from them')
  command(users, 'deactivate', 'end all sessions and credentials of a user, at once',
    () => import('./users.js'), 'deactivate')
    .requiredOption(...USER)
  command(users, 'activate', 'let a deactivated user in again', () => import('./users.js'), 'activate')
    .requiredOption(...USER)
  command(users, 'sign-out', 'end all sessions of a user, at once; keys and tokens go on',
    () => import('./users.js'), 'signOut')
    .requiredOption(...USER)
    .option('--passkeys', 'remove their passkeys too, as after the loss of a device')
  command(users, 'list', 'list users', () => import('./users.js'), 'list')

  const members = root.command('members').description('members of workspaces and their roles')
  command(members, 'add', 'add a member or change their role', () => import('./members.js'), 'add')
    .requiredOption(...USER)
    .requiredOption('--workspace <workspace>', 'id or slug')
    .addOption(
      new Option('--role <role>', rolesSentence()).choices(['viewer', 'editor', 'admin']).makeOptionMandatory())
  command(members, 'remove', 'remove a member', () => import('./members.js'), 'remove')
    .requiredOption(...USER)
    .requiredOption('--workspace <workspace>', 'id or slug')

  const workspaces = root.command('workspaces').description('workspaces, and what agents may do in each')
  command(workspaces, 'list', 'list workspaces', () => import('./workspaces.js'), 'list')
  command(workspaces, 'update <workspace>', 'let agents write in a workspace, or no longer: id or slug',
    () => import('./workspaces.js'), 'update')
    .addOption(new Option('--agents <policy>', `what agents may do. ${POLICIES}`)
      .choices(AGENT_POLICIES).makeOptionMandatory())
    .option('--yes', 'do not ask')
}

const POLICIES = AGENT_POLICIES.map((policy) => `${policy}: ${POLICY_WORDS[policy]}`).join('; ')

/** Adds `sign-in-link`. */
export const signInLinkCommand = (root: Command, command: AddCommand): void => {
  command(root, 'sign-in-link', 'print a link that signs a person in to the web application, once, within 15 minutes',
    () => import('./sign-in-link.js'), 'signInLink')
    .option('--user <user>', USER_OR_ADMINISTRATOR)
}
