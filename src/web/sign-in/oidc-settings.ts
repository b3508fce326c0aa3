/** The settings of signing in with an OpenID provider, checked when the server starts. */
import { readFileSync } from 'node:fs'
import type { FromSchema } from 'json-schema-to-ts'
import schema from '#schemas/oidc_groups.json' with { type: 'json' }
import type { GroupRoles, Role } from '../../access/sign-in/oidc-identities.js'
import type { Config } from '../../config/config.js'
import { requireSecureService } from '../../http/secure-transport.js'
import { unreadable } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import { parseBoundedJson } from '../../lib/json/json-depth.js'
import { lazyValidator } from '../../lib/schema/validator.js'

type GroupsFile = FromSchema<typeof schema>

export type OidcSettings = NonNullable<ReturnType<typeof readOidcSettings>>

const check = lazyValidator<GroupsFile>(schema, 'every')
const EVERY_WORKSPACE = '*'

/** Undefined where OIDC_ISSUER is not set. @throws {Refusal} when they do not fit, or the file cannot be read */
export const readOidcSettings = (config: Config) => {
  const { oidcIssuer, oidcClientId, oidcGroupsFile } = config
  if (oidcIssuer === undefined) {
    if (oidcClientId === undefined && oidcGroupsFile === undefined) return undefined
    throw new Refusal('OIDC_ISSUER is not set: set it to the address of the provider, or unset the other OIDC_ ' +
      'variables.')
  }
  if (oidcClientId === undefined) {
    throw new Refusal('OIDC_CLIENT_ID is not set: register this server at the provider, and set the id that it gives.')
  }
  requireSecureService('OIDC_ISSUER', oidcIssuer, 'how people sign in', config.allowHttp)
  const issuer = new URL(oidcIssuer)
  return {
    issuer,
    clientId: oidcClientId,
    clientSecret: config.oidcClientSecret,
    scopes: [...new Set(['openid', ...config.oidcScopes])],
    name: config.oidcName ?? issuer.host,
    /** In lower case; when there are none, only people who are known already may sign in. */
    allowedDomains: config.oidcAllowedDomains.map((domain) => domain.toLowerCase()),
    /** Of a new person in every workspace; undefined for none. */
    defaultRole: config.oidcDefaultRole,
    groups: oidcGroupsFile === undefined ? undefined : groupsOf(readGroupsFile(oidcGroupsFile))
  }
}

const readGroupsFile = (path: string): GroupsFile => {
  let value: unknown
  try {
    value = parseBoundedJson(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Refusal(error instanceof SyntaxError
      ? `OIDC_GROUPS_FILE is no JSON: ${error.message}`
      : unreadable(`${path} (OIDC_GROUPS_FILE)`, error))
  }
  const checked = check(value)
  if (!checked.ok) throw new Refusal(checked.faults.map((fault) => `OIDC_GROUPS_FILE: ${fault}.`).join('\n'))
  return checked.value
}

const groupsOf = ({ claim, groups }: GroupsFile) => {
  const all = Object.values(groups)
  const workspaces = new Set(all.flatMap(({ workspaces = {} }) => Object.keys(workspaces)))
  const governed: GroupRoles['governed'] = workspaces.has(EVERY_WORKSPACE) ? 'all' : workspaces
  const decidesAdmins = all.some(({ server_admin: admin }) => admin === true)
  return {
    claim,
    rolesOf (names: readonly string[]): GroupRoles {
      const own = [...new Set(names)].flatMap((name) => {
        const group = Object.entries(groups).find(([key]) => key === name)?.[1]
        return group ? [group] : []
      })
      const roles = new Map<string, Role>()
      for (const { workspaces = {} } of own) {
        for (const [workspace, role] of Object.entries(workspaces)) {
          const before = roles.get(workspace)
          if (before === undefined || ORDER.indexOf(role) > ORDER.indexOf(before)) roles.set(workspace, role)
        }
      }
      const everywhere = roles.get(EVERY_WORKSPACE)
      roles.delete(EVERY_WORKSPACE)
      const serverAdmin = decidesAdmins ? own.some(({ server_admin: admin }) => admin === true) : undefined
      return { roles, everywhere, governed, serverAdmin }
    }
  }
}

const ORDER: readonly Role[] = ['viewer', 'editor', 'admin']
