/** The addresses of the pages. Server and browser import this file, so it has no imports of its own. */

export interface PagePath {
  /** The name of the page: the browser loads `app/pages/<name>.tsx`. */
  name: string
  title: string
  /** The path, with `:id` for a parameter. */
  path: string
  public?: boolean
  /** Whether the page stands alone, without the sidebar: a question that another program leads to. */
  bare?: boolean
  /** Who may open it; every person who is signed in when absent. */
  right?: PageRight
}

/** `workspace_admin`: the admins of at least one workspace, and server administrators. */
export type PageRight = 'server_admin' | 'workspace_admin'

export const hasRight = (
  right: PageRight | undefined, isServerAdmin: boolean, memberships: ReadonlyArray<{ role: string }>
): boolean =>
  right === undefined || isServerAdmin ||
  (right === 'workspace_admin' && memberships.some(({ role }) => role === 'admin'))

/** The page where people sign in. It takes `?return=<path>`. */
export const SIGN_IN_PATH = '/sign-in'

export const PAGE_PATHS = [
  { name: 'explorations', title: 'Explorations', path: '/' },
  { name: 'inbox', title: 'Needs you', path: '/inbox' },
  { name: 'exploration', title: 'Exploration', path: '/explorations/:id' },
  { name: 'plan', title: 'Plan', path: '/explorations/:id/plan' },
  { name: 'history', title: 'History', path: '/explorations/:id/history' },
  { name: 'developer', title: 'API keys', path: '/integrations/developer' },
  { name: 'connect', title: 'Connect an agent', path: '/integrations/connect' },
  { name: 'tokens', title: 'Tokens', path: '/settings/tokens' },
  { name: 'connections', title: 'Connected applications', path: '/settings/connections' },
  { name: 'account', title: 'Account', path: '/settings/account' },
  { name: 'device', title: 'Approve a device', path: '/device' },
  { name: 'oauth-consent', title: 'Allow an application', path: '/oauth/consent', bare: true },
  { name: 'usage', title: 'Usage', path: '/usage' },
  { name: 'audit', title: 'Audit log', path: '/audit' },
  { name: 'people', title: 'People', path: '/admin/people', right: 'server_admin' },
  { name: 'workspaces', title: 'Workspaces', path: '/admin/workspaces', right: 'workspace_admin' },
  { name: 'credentials', title: 'Credentials', path: '/admin/credentials', right: 'server_admin' },
  { name: 'all-connections', title: 'Connected applications', path: '/admin/connections', right: 'server_admin' },
  { name: 'status', title: 'Server', path: '/admin/status', right: 'server_admin' },
  { name: 'sign-in', title: 'Sign in', path: SIGN_IN_PATH, public: true }
] as const satisfies readonly PagePath[]

export type PageName = typeof PAGE_PATHS[number]['name']

// Above what an authorization request of an application may have.
const MAX_RETURN_LENGTH = 4200

/**
 * Returns the address to go to after sign-in: `value` when it is a path of this server, otherwise `/`. A value such as
 * `//example.org` or `/\example.org`, which browsers read as another host, becomes `/`.
 */
export const returnPath = (value: string | null | undefined): string => {
  if (value === null || value === undefined || value.length > MAX_RETURN_LENGTH) return '/'
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(value) || value.includes('\\')) return '/'
  return value === SIGN_IN_PATH || value.startsWith(`${SIGN_IN_PATH}?`) ? '/' : value
}

/**
 * Why a sign-in with the provider failed, in the address of the sign-in page. `oidc_unavailable`: the provider does not
 * answer. `oidc_expired`: it took longer than ten minutes, or began in another browser. `oidc_denied`: refused at the
 * provider. `oidc_failed`: the provider's answer is not valid. `oidc_email`: the address is missing or not verified.
 * `oidc_not_allowed`: this address may not sign in here. `oidc_busy`: too many attempts.
 */
export type OidcError =
  `oidc_${'unavailable' | 'expired' | 'denied' | 'failed' | 'email' | 'not_allowed' | 'busy'}`

/** Returns the address of the sign-in page that leads back to `path` (path and query). */
export const signInPath = (path: string): string =>
  returnPath(path) === '/' ? SIGN_IN_PATH : `${SIGN_IN_PATH}?return=${encodeURIComponent(path)}`
