/**
 * The path that the server is reached below, from PUBLIC_URL. Pages name addresses without it (`/usage`); it is added
 * where an address leaves the application: to links when they are drawn, to requests, and to changes of the location.
 */
import { options } from 'preact'

/** Such as `/plans`; empty for a server with a host of its own. */
export const BASE_PATH: string = typeof document === 'undefined' ? '' : document.documentElement.dataset['base'] ?? ''

/** Returns the path of the application for a path of the browser: `/usage` for `/plans/usage`. */
export const withoutBase = (path: string): string => {
  if (path === BASE_PATH) return '/'
  return path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : path
}

/** From now on, each link to an address of this server (`/…`) that is drawn has the base path before it. */
export const prefixLinks = (): void => {
  if (BASE_PATH === '') return
  const before = options.vnode
  options.vnode = (vnode) => {
    const props: { href?: unknown, children?: unknown } = vnode.props
    if (vnode.type === 'a' && typeof props.href === 'string' && /^\/(?!\/)/.test(props.href)) {
      props.href = BASE_PATH + props.href
    }
    before?.(vnode)
  }
}
