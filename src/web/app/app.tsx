/** The whole application: which page is shown, in which frame, and for whom. */
import type { ComponentChildren } from 'preact'
import { LocationProvider, Route, Router, ErrorBoundary, useLocation } from 'preact-iso'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { hasRight, type PageRight, signInPath } from '../page-paths.js'
import { setSignedOutHandler } from './api/request.js'
import { clearCache } from './api/resource.js'
import { LinkButton } from './components/button.js'
import { Card, PageHeader } from './components/layout.js'
import { Dialogs } from './components/show-dialog.js'
import { EmptyState, SkeletonText } from './components/states.js'
import { Toasts } from './components/toast.js'
import { BASE_PATH, withoutBase } from './lib/base-path.js'
import { setDocumentTitle } from './lib/document-title.js'
import { restoreScroll } from './lib/scroll-place.js'
import { SessionProvider, useSessionState } from './lib/session.js'
import { isBarePath, isPublicPath, rightOf, routes, titleOf } from './routes.js'
import { PublicFrame } from './shell/public-frame.js'
import { Shell } from './shell/shell.js'
import { Shortcuts } from './shell/shortcuts.js'

// Several requests of a page fail at once when a session has ended: a second navigation would abort the first.
let isLeaving = false
addEventListener('pageshow', () => { isLeaving = false })

setSignedOutHandler(() => {
  if (isLeaving || isPublicPath(location.pathname)) return
  isLeaving = true
  clearCache()
  location.assign(BASE_PATH + signInPath(withoutBase(location.pathname) + location.search))
})

// Other links of the same origin, such as the one to the sign-in at the provider, are addresses of the server: the
// browser follows them.
const PAGE_LINKS = new RegExp(
  `^(?:${routes.map(({ path }) => path.replaceAll(/:\w+/g, '[^/?#]+')).join('|')})(?:[?#]|$)`
)

export const App = () => (
  <LocationProvider scope={PAGE_LINKS}>
    <Pages />
    <Toasts />
  </LocationProvider>
)

const Pages = () => {
  const { path } = useLocation()
  const [loading, setLoading] = useState(false)
  useEffect(() => setDocumentTitle(titleOf(path)), [path])
  const changed = useCallback((): void => {
    setLoading(false)
    // Keyboards and screen readers go on at the new page.
    document.getElementById('main')?.focus({ preventScroll: true })
    restoreScroll()
  }, [])
  const content = (
    <ErrorBoundary>
      <Router onLoadStart={() => setLoading(true)} onLoadEnd={() => setLoading(false)} onRouteChange={changed}>
        {[
          ...routes.map((route) => <Route key={route.path} path={route.path} component={route.component} />),
          <Route key='not-found' default component={NotFound} />
        ]}
      </Router>
    </ErrorBoundary>
  )
  return (
    <>
      {loading && <div class='progress-bar' role='progressbar' aria-label='Loading the page' />}
      {isPublicPath(path)
        ? <PublicFrame>{content}</PublicFrame>
        : (
          <SessionProvider>
            {isBarePath(path)
              ? <PublicFrame>{content}</PublicFrame>
              : (
                <>
                  <Shell><RightGuard right={rightOf(path)} title={titleOf(path)}>{content}</RightGuard></Shell>
                  <Shortcuts />
                  <Dialogs />
                </>
                )}
          </SessionProvider>
          )}
    </>
  )
}

const WORDS: Record<PageRight, { title: string, ask: string }> = {
  server_admin: {
    title: 'Only server administrators can open this page',
    ask: 'Ask one of them to do what you came for, or to make you an administrator. Those who invite people to this ' +
      'server are administrators.'
  },
  workspace_admin: {
    title: 'Only admins of a workspace can open this page',
    ask: 'Ask an admin of your workspace to do what you came for, or to make you an admin too.'
  }
}

/** Draws a page for people who have the right that it needs; tells others whom to ask. */
const RightGuard = (
  { right, title, children }: { right: PageRight | undefined, title: string, children: ComponentChildren }
) => {
  const session = useSessionState()?.session
  if (right === undefined || (session && hasRight(right, session.server_admin, session.memberships))) return children
  const { title: refusal, ask } = WORDS[right]
  return (
    <>
      <PageHeader title={title} />
      <Card>
        {session
          ? (
            <EmptyState icon='shield' title={refusal} action={<LinkButton href='/'>Go to the explorations</LinkButton>}>
              {ask}
            </EmptyState>
            )
          : <SkeletonText lines={8} />}
      </Card>
    </>
  )
}

const NotFound = () => (
  <>
    <h1 class='visually-hidden'>Not found</h1>
    <Card>
      <EmptyState
        icon='search' title='There is nothing at this address'
        action={<LinkButton href='/'>Go to the start page</LinkButton>}
      >
        The link may be old, or what it led to was removed.
      </EmptyState>
    </Card>
  </>
)
