/** Creates tokens on the server of this machine, for one of its users. */
import type { StoredToken } from '../../agent-setup/credentials/credentials-file.js'
import { worksAt, type Issuer } from '../../agent-setup/credentials/issuer.js'
import type { Flags } from '../../config/config.js'
import { Refusal } from '../../lib/errors.js'
import type { User } from '../../planning/records.js'
import { FIRST_KEY } from '../../server/first-start.js'
import { listCredentials, revokeCredential } from '../credentials/credentials.js'
import { addressesOf } from '../only-administrator.js'
import type { CliContext } from '../cli-context.js'
import { withManagement } from '../with-management.js'
import { commandLine } from '../../lib/text/command-line.js'

/** `named` is the id or e-mail address of the owner. */
export const localIssuer = (endpoint: URL, context: CliContext, flags: Flags, named?: string): Issuer => ({
  revokesById: true,
  owner: async (old) => (await ownerFor(context, flags, named ?? old?.user)).email,

  async mint (name, old): Promise<StoredToken> {
    const { id: user, email } = await ownerFor(context, flags, named ?? old?.user)
    const { id, secret, expires_at: end } = await withManagement(
      context, flags, (api) => api.callAs(user, 'POST /tokens', { body: { name } })
    )
    return { token: secret, id, kind: 'personal_access_token', expires_at: end, user: email }
  },

  works: ({ token }) => worksAt(endpoint, token),

  async revoke ({ id, kind }) {
    await withManagement(context, flags, (api) => revokeCredential(api, kind, id))
  }
})

/**
 * The owner of a token that is created: the named user. Without a name, the only person; else the person whose e-mail
 * address begins with the login name of this machine's user; else the person who got the key of the first start.
 */
async function ownerFor (context: CliContext, flags: Flags, named: string | undefined): Promise<User> {
  const { users, keys } = await withManagement(context, flags, async (api) => ({
    users: (await api.call('GET /users')).users, keys: await listCredentials(api, 'api_key')
  }))
  if (named !== undefined) {
    const found = users.find(({ id, email }) => [id, email.toLowerCase()].includes(named.toLowerCase()))
    if (!found) {
      throw new Refusal(
        `There is no user ${JSON.stringify(named.slice(0, 320))}. ${commandLine('users list')} lists all users.`
      )
    }
    return found
  }
  const persons = users.filter(({ kind }) => kind === 'person')
  const login = (context.env['SUDO_USER'] || context.env['USER'] || context.env['USERNAME'] || '').toLowerCase()
  const alike = persons.filter(({ email }) => login !== '' && email.toLowerCase().split('@')[0] === login)
  const first = keys.find(({ name, revoked_at: revoked }) => name === FIRST_KEY && revoked === null)
  const found = persons.length === 1
    ? persons[0]
    : alike.length === 1 ? alike[0] : persons.find(({ id }) => id === first?.user.id)
  if (found) return found
  if (users.length === 0) {
    throw new Refusal(
      `There are no users yet: add one with ${commandLine('users create')}, or start the server once to load its ` +
      'sample.'
    )
  }
  throw new Refusal(`Choose the owner of the token with --user: ${addressesOf(users)}.`)
}
