/** Loads a page when it is first shown. */
import type { FunctionComponent } from 'preact'
import { lazy } from 'preact-iso'
import { ErrorState } from '../components/states.js'

/**
 * Like `lazy` of preact-iso. A page that cannot be loaded says so: offline, or after an update of the server that
 * renamed its files.
 */
export const lazyPage = (load: () => Promise<{ default: FunctionComponent }>): FunctionComponent =>
  lazy(() => load().catch(() => ({ default: LoadFailed })))

const LoadFailed: FunctionComponent = () => (
  <ErrorState
    title='This page could not be loaded'
    message='Check the connection. After an update of the server the page has to be loaded anew.'
    onRetry={() => location.reload()}
  />
)
