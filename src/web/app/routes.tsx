/** The pages that there are: each is loaded when it is first shown. */
import type { FunctionComponent } from 'preact'
import { lazy } from 'preact-iso'
import { exec } from 'preact-iso/router'
import { hasRight, PAGE_PATHS, type PageName, type PagePath, type PageRight } from '../page-paths.js'
import type { SessionInfo } from './api/answers.js'
import { ErrorState } from './components/states.js'
import { BASE_PATH } from './lib/base-path.js'

interface PageModule { default: FunctionComponent }

const modules = import.meta.glob<PageModule>('./pages/*.tsx')

/** Says so where a page cannot be loaded: offline, or after an update of the server that renamed its files. */
const lazyPage = (load: () => Promise<{ default: FunctionComponent }>): FunctionComponent =>
  lazy(() => load().catch(() => ({ default: LoadFailed })))

const LoadFailed: FunctionComponent = () => (
  <ErrorState
    title='This page could not be loaded'
    error='Check the connection. After an update of the server the page has to be loaded anew.'
    retry={() => location.reload()}
  />
)

interface AppRoute extends PagePath {
  name: PageName
  component: FunctionComponent
}

export const routes: readonly AppRoute[] = PAGE_PATHS.flatMap((page) => {
  const load = modules[`./pages/${page.name}.tsx`]
  return load ? [{ ...page, path: BASE_PATH + page.path, component: lazyPage(load) }] : []
})

const find = (path: string): AppRoute | undefined => routes.find((route) => matches(path, route.path))

const matches = (path: string, pattern: string): boolean => {
  const match: unknown = exec(path, pattern, { path, query: {}, params: {} })
  return match !== undefined
}

export const titleOf = (path: string): string => find(path)?.title ?? 'Not found'

/** Whether the page at a path needs no session; so does the page of unknown addresses. */
export const isPublicPath = (path: string): boolean => (find(path) ?? { public: true }).public ?? false

export const isBarePath = (path: string): boolean => isPublicPath(path) || (find(path)?.bare ?? false)

export const rightOf = (path: string): PageRight | undefined => find(path)?.right

/** Whether a page is there and the person may open it; while the session is not known, whether everybody may. */
export const mayOpen = (name: PageName, session: SessionInfo | undefined): boolean => {
  const route = routes.find((one) => one.name === name)
  return route !== undefined && hasRight(route.right, session?.server_admin ?? false, session?.memberships ?? [])
}
