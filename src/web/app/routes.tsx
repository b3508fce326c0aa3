/** The pages that there are: each is loaded when it is first shown. */
import type { FunctionComponent } from 'preact'
import { exec } from 'preact-iso/router'
import { hasRight, PAGE_PATHS, type PageName, type PagePath, type PageRight } from '../page-paths.js'
import type { SessionInfo } from './api/session.js'
import { BASE_PATH } from './lib/base-path.js'
import { lazyPage } from './lib/lazy-page.js'

interface PageModule { default: FunctionComponent }

/** Titles and modules by the name of a page; paths are in page-paths.ts. */
const PAGES: { readonly [Name in PageName]?: readonly [title: string, load: () => Promise<PageModule>] } = {
  explorations: ['Explorations', () => import('./pages/explorations.js')],
  exploration: ['Exploration', () => import('./pages/exploration.js')],
  plan: ['Plan', () => import('./pages/plan.js')],
  usage: ['Usage', () => import('./pages/usage.js')],
  audit: ['Audit log', () => import('./pages/audit.js')],
  people: ['People', () => import('./pages/people.js')],
  workspaces: ['Workspaces', () => import('./pages/workspaces.js')],
  credentials: ['Credentials', () => import('./pages/credentials.js')],
  'all-connections': ['Connected applications', () => import('./pages/all-connections.js')],
  status: ['Server', () => import('./pages/status.js')],
  developer: ['Developer', () => import('./pages/developer.js')],
  connect: ['Connect an agent', () => import('./pages/connect.js')],
  tokens: ['Tokens', () => import('./pages/tokens.js')],
  connections: ['Connected applications', () => import('./pages/connections.js')],
  account: ['Account', () => import('./pages/account.js')],
  device: ['Approve a device', () => import('./pages/device.js')],
  'oauth-consent': ['Allow an application', () => import('./pages/oauth-consent.js')],
  'sign-in': ['Sign in', () => import('./pages/sign-in.js')]
}

export interface AppRoute {
  name: PageName | 'components'
  /** As the browser shows it. */
  path: string
  title: string
  component: FunctionComponent
  public: boolean
  bare: boolean
  right: PageRight | undefined
}

export const routes: readonly AppRoute[] = [
  ...PAGE_PATHS.flatMap((page) => {
    const [title, load] = PAGES[page.name] ?? []
    if (title === undefined || !load) return []
    const { name } = page
    const path = BASE_PATH + page.path
    const { public: isPublic = false, bare = false, right }: PagePath = page
    return [{ name, path, title, component: lazyPage(load), public: isPublic, bare, right }]
  }),
  // Left out of the build.
  ...import.meta.env.DEV
    ? [{
        name: 'components' as const,
        path: '/dev/components',
        title: 'Components',
        component: lazyPage(() => import('./pages/components.js')),
        public: false,
        bare: false,
        right: undefined
      }]
    : []
]

const find = (path: string): AppRoute | undefined => routes.find((route) => matches(path, route.path))

/** Whether a path belongs to a page's, which may have parameters. */
const matches = (path: string, pattern: string): boolean => {
  const match: unknown = exec(path, pattern, { path, query: {}, params: {} })
  return match !== undefined
}

/** The title of the page at a path. */
export const titleOf = (path: string): string => find(path)?.title ?? 'Not found'

/** Whether the page at a path needs no session; so does the page of unknown addresses. */
export const isPublicPath = (path: string): boolean => find(path)?.public ?? true

/** Whether the page at a path stands alone, without the sidebar. */
export const isBarePath = (path: string): boolean => isPublicPath(path) || (find(path)?.bare ?? false)

/** The right that the page at a path needs. */
export const rightOf = (path: string): PageRight | undefined => find(path)?.right

/** Whether a page is there and the person may open it; while the session is not known, whether everybody may. */
export const mayOpen = (name: PageName, session: SessionInfo | undefined): boolean => {
  const route = routes.find((one) => one.name === name)
  return route !== undefined && hasRight(route.right, session?.server_admin ?? false, session?.memberships ?? [])
}
