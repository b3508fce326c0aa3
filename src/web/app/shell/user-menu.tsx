/** Who is signed in, at the foot of the sidebar, with what concerns the account. */
import { Avatar } from '../components/icon.js'
import { Menu } from '../components/menu.js'
import { Skeleton } from '../components/states.js'
import { showToast } from '../components/toast.js'
import { messageOf } from '../api/problem.js'
import type { SessionInfo } from '../api/answers.js'
import { signOut } from '../lib/session.js'
import { openShortcuts } from './shortcuts.js'

export const UserMenu = ({ session }: { session: SessionInfo | undefined }) => (
  <div class='user-menu'>
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
              onSelect: () => {
                signOut().catch((error: unknown) =>
                  showToast(messageOf(error), 'bad'))
              }
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
