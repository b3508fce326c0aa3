/** The frame of pages for people who are signed in: the sidebar, which is a popover on a phone, and the page. */
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../components/icon.js'
import { withoutBase } from '../lib/base-path.js'
import { useSessionState } from '../lib/session.js'
import { navigationFor, type NavigationEntry } from './navigation.js'
import { PasskeyOffer } from './passkey-offer.js'
import { Brand } from './public-frame.js'
import { UserMenu } from './user-menu.js'
import './shell.css'

/** Draws the frame around a page. The focus goes to the page when the address changes. */
export const Shell = ({ children }: { children: ComponentChildren }) => {
  const { path, url } = useLocation()
  const session = useSessionState()?.session
  const sidebar = useRef<HTMLElement>(null)
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
          {navigationFor(session).map(({ label, entries }) => (
            <div key={label ?? ''} class='navigation-group'>
              {label !== undefined && <h2 class='navigation-label'>{label}</h2>}
              <ul>
                {entries.map((entry) => (
                  <li key={entry.href}><Entry entry={entry} current={isCurrent(withoutBase(path), entry)} /></li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <UserMenu session={session} />
      </aside>
      <main id='main' class='main' tabIndex={-1}>
        <PasskeyOffer />
        {children}
      </main>
    </div>
  )
}

const Entry = ({ entry: { href, label, icon }, current }: { entry: NavigationEntry, current: boolean }) => (
  <a class='navigation-entry' href={href} aria-current={current ? 'page' : undefined}>
    <Icon name={icon} />
    {label}
  </a>
)

const isCurrent = (path: string, { page, href }: NavigationEntry): boolean =>
  path === href || (page === 'explorations' && path.startsWith('/explorations/'))
