/** The entries of the sidebar. */
import type { SessionInfo } from '../api/answers.js'
import type { IconName } from '../components/icon.js'
import type { PageName } from '../../page-paths.js'
import { mayOpen } from '../routes.js'

export interface NavigationEntry {
  page: PageName
  href: string
  label: string
  icon: IconName
  /** The letter that leads there after `g`. */
  key: string
}

export interface NavigationGroup { label: string | undefined, entries: readonly NavigationEntry[] }

const GROUPS: readonly NavigationGroup[] = [
  {
    label: undefined,
    entries: [{ page: 'explorations', href: '/', label: 'Explorations', icon: 'explore', key: 'e' }]
  },
  {
    label: 'Integrations',
    entries: [
      { page: 'connect', href: '/integrations/connect', label: 'Connect', icon: 'plug', key: 'c' },
      { page: 'developer', href: '/integrations/developer', label: 'Developer', icon: 'key', key: 'k' },
      { page: 'tokens', href: '/settings/tokens', label: 'Tokens', icon: 'token', key: 't' },
      { page: 'connections', href: '/settings/connections', label: 'Applications', icon: 'link', key: 'a' },
      { page: 'device', href: '/device', label: 'Approve a device', icon: 'device', key: 'd' }
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
      { page: 'credentials', href: '/admin/credentials', label: 'Credentials', icon: 'shield', key: 'r' },
      { page: 'all-connections', href: '/admin/connections', label: 'All applications', icon: 'link', key: 'o' },
      { page: 'status', href: '/admin/status', label: 'Server', icon: 'server', key: 's' }
    ]
  }
]

/** The groups that a person sees; those of everybody while the session is not known. */
export const navigationFor = (session: SessionInfo | undefined): readonly NavigationGroup[] => {
  return GROUPS
    .map(({ label, entries }) => ({ label, entries: entries.filter(({ page }) => mayOpen(page, session)) }))
    .filter(({ entries }) => entries.length > 0)
}
