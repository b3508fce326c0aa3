/** The entries of the sidebar. */
import type { SessionInfo } from '../api/answers.js'
import type { IconName } from '../components/icon.js'
import type { PageName } from '../../page-paths.js'
import { mayOpen } from '../routes.js'

export interface NavigationPage {
  page: PageName
  href: string
  label: string
  /** The letter that leads there after `g`. */
  key: string
}

/** An entry leads to a page, or to the first of several that stand beside one another as tabs. */
export type NavigationEntry =
  (NavigationPage & { icon: IconName }) | { label: string, icon: IconName, tabs: readonly NavigationPage[] }

export interface NavigationGroup { label: string | undefined, entries: readonly NavigationEntry[] }

const GROUPS: readonly NavigationGroup[] = [
  {
    label: undefined,
    entries: [
      { page: 'explorations', href: '/', label: 'Explorations', icon: 'explore', key: 'e' },
      { page: 'inbox', href: '/inbox', label: 'Needs you', icon: 'inbox', key: 'n' }
    ]
  },
  {
    label: 'Integrations',
    entries: [
      { page: 'connect', href: '/integrations/connect', label: 'Connect', icon: 'plug', key: 'c' },
      {
        label: 'Access',
        icon: 'key',
        tabs: [
          { page: 'developer', href: '/integrations/developer', label: 'API keys', key: 'k' },
          { page: 'tokens', href: '/settings/tokens', label: 'Tokens', key: 't' },
          { page: 'connections', href: '/settings/connections', label: 'Applications', key: 'a' },
          { page: 'device', href: '/device', label: 'Devices', key: 'd' }
        ]
      }
    ]
  },
  {
    label: 'Activity',
    entries: [
      { page: 'usage', href: '/usage', label: 'Usage', icon: 'chart', key: 'u' },
      { page: 'audit', href: '/audit', label: 'Audit log', icon: 'log', key: 'l' }
    ]
  },
  {
    label: 'Administration',
    entries: [
      { page: 'people', href: '/admin/people', label: 'People', icon: 'people', key: 'p' },
      { page: 'workspaces', href: '/admin/workspaces', label: 'Workspaces', icon: 'workspace', key: 'w' },
      {
        label: 'Access of everyone',
        icon: 'shield',
        tabs: [
          { page: 'credentials', href: '/admin/credentials', label: 'Credentials', key: 'r' },
          { page: 'all-connections', href: '/admin/connections', label: 'All applications', key: 'o' }
        ]
      },
      { page: 'status', href: '/admin/status', label: 'Server', icon: 'server', key: 's' }
    ]
  }
]

export const pagesOf = (entry: NavigationEntry): readonly NavigationPage[] => 'tabs' in entry ? entry.tabs : [entry]

/** The groups that a person sees; those of everybody while the session is not known. */
export const navigationFor = (session: SessionInfo | undefined): readonly NavigationGroup[] => GROUPS
  .map(({ label, entries }) => ({
    label, entries: entries.filter((entry) => pagesOf(entry).some(({ page }) => mayOpen(page, session)))
  }))
  .filter(({ entries }) => entries.length > 0)
