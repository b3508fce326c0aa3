/** The frame of pages for people who are signed in: the sidebar, which is a popover on a phone, and the page. */
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import type { SessionInfo } from '../api/answers.js'
import { messageOf } from '../api/problem.js'
import { Avatar, Icon } from '../components/icon.js'
import { Menu } from '../components/menu.js'
import { Skeleton } from '../components/states.js'
import { showToast } from '../components/toast.js'
import { withoutBase } from '../lib/base-path.js'
import { signOut, useSessionState } from '../lib/session.js'
import { useModule } from '../lib/use-module.js'
import { navigationFor, pagesOf, type NavigationEntry, type NavigationPage } from './navigation.js'
import { Brand } from './public-frame.js'
import { openShortcuts } from './shortcuts.js'
import './shell.css'

export const Shell = ({ children }: { children: ComponentChildren }) => {
  const { path, url } = useLocation()
  const session = useSessionState()?.session
  const offer = useModule(() => import('./passkey-offer.js'))
  const waiting = useModule(() => import('../changes/inbox-count.js'))
  const sidebar = useRef<HTMLElement>(null)
  const groups = navigationFor(session)
  const here = withoutBase(path)
  const current = groups.flatMap(({ entries }) => entries).find((entry) => isCurrent(here, entry))
  useEffect(() => {
    if (sidebar.current?.matches(':popover-open')) sidebar.current.hidePopover()
  }, [url])
  return (
    <div class='shell'>
      <a class='skip-link' href='#main'>Skip to the content</a>
      <header class='top-bar'>
        <button type='button' class='icon-button' popovertarget='sidebar' aria-label='Menu'>
          <Icon name='menu' />
        </button>
        <Brand />
      </header>
      <aside ref={sidebar} id='sidebar' class='sidebar' popover='auto' aria-label='Sidebar'>
        <a class='sidebar-brand' href='/' aria-label='Exploration: start page'><Brand /></a>
        <nav class='navigation' aria-label='Pages'>
          {groups.map(({ label, entries }) => (
            <div key={label ?? ''} class='navigation-group'>
              {label !== undefined && <p class='navigation-label' id={`navigation-${label}`}>{label}</p>}
              <ul aria-labelledby={label && `navigation-${label}`}>
                {entries.map((entry) => (
                  <li key={entry.label}>
                    <Entry entry={entry} current={entry === current}>
                      {waiting && 'page' in entry && entry.page === 'inbox' && <waiting.InboxCount />}
                    </Entry>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <UserMenu session={session} />
      </aside>
      <main id='main' class='main' tabIndex={-1}>
        {offer && <offer.PasskeyOffer />}
        {current && 'tabs' in current && <Tabs label={current.label} pages={current.tabs} path={here} />}
        {children}
      </main>
    </div>
  )
}

interface EntryProps { entry: NavigationEntry, current: boolean, children: ComponentChildren }

const Entry = ({ entry, current, children }: EntryProps) => (
  <a class='navigation-entry' href={pagesOf(entry)[0]?.href} aria-current={current ? 'page' : undefined}>
    <Icon name={entry.icon} />
    {entry.label}
    {children}
  </a>
)

const Tabs = ({ label, pages, path }: { label: string, pages: readonly NavigationPage[], path: string }) => (
  <nav class='page-tabs' aria-label={label}>
    {pages.map(({ href, label: name }) => (
      <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>{name}</a>
    ))}
  </nav>
)

const isCurrent = (path: string, entry: NavigationEntry): boolean => pagesOf(entry).some(({ page, href }) =>
  path === href || (page === 'explorations' && path.startsWith('/explorations/')))

const UserMenu = ({ session }: { session: SessionInfo | undefined }) => (
  <div>
    {session
      ? (
        <Menu
          label='Account' class='user-button'
          items={[
            { label: 'Account', icon: 'user', href: '/settings/account' },
            { label: 'Keyboard shortcuts', icon: 'keyboard', onSelect: openShortcuts },
            {
              label: 'Sign out',
              icon: 'signOut',
              onSelect: () => { signOut().catch((error: unknown) => showToast(messageOf(error), 'bad')) }
            }
          ]}
        >
          <Avatar name={session.user.name} />
          <span class='user-text'>
            <span class='user-name'>{session.user.name}</span>
            <span class='user-email'>{session.user.email}</span>
          </span>
        </Menu>
        )
      : (
        <div class='user-button' aria-hidden='true'>
          <Skeleton width='28px' height='28px' round />
          <span class='user-text'><Skeleton width='6rem' /><Skeleton width='8rem' height='.625rem' /></span>
        </div>
        )}
  </div>
)
