/** The person whom a command is for when `--user` is left out. */
import { commandLine } from '../lib/text/command-line.js'
import { Refusal } from '../lib/errors.js'
import type { User } from '../planning/records.js'
import type { ManagementClient } from './management-client.js'
import { stripControlChars } from './print/print.js'

const MAX_NAMED = 10

export const addressesOf = (users: readonly User[]): string =>
  users.slice(0, MAX_NAMED).map(({ email }) => stripControlChars(email)).join(', ') +
  (users.length > MAX_NAMED ? ' …' : '')

export const nameOrOnlyAdministrator = async (api: ManagementClient, given: string | undefined): Promise<string> => {
  if (given !== undefined) return given
  const { users } = await api.call('GET /users')
  const admins = users.filter((user) => user.server_admin && user.deactivated_at === null)
  const [admin, ...others] = admins
  if (admin && others.length === 0) return admin.id
  throw new Refusal(admin
    ? `There are several server administrators. Choose the person with --user: ${addressesOf(admins)}.`
    : 'There is no server administrator. Choose the person with --user; ' +
      `${commandLine('users list')} lists all people.`)
}
