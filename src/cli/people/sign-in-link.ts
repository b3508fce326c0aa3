/** `sign-in-link`: prints a link that signs a person in to the web application, once. */
import { readConfig } from '../../config/config.js'
import { pagesBaseOf } from '../../http/server-address.js'
import { Refusal } from '../../lib/errors.js'
import type { CommandHandler } from '../cli-context.js'
import { print, stripControlChars } from '../print/print.js'
import { signInUrl } from '../../server/first-start.js'
import { nameOrOnlyAdministrator } from '../only-administrator.js'
import { withManagement } from '../with-management.js'

export const signInLink: CommandHandler<{ user?: string }> = async ({ user, json }, context, flags) => {
  const { web, publicUrl, host, port } = readConfig(context.env, flags)
  if (web === 'off') throw new Refusal('WEB is off: there is no web application to sign in to. Set WEB=on.')
  const link = await withManagement(context, flags, async (api) => await api.call(
    'POST /sign-in-links', { body: { user: await nameOrOnlyAdministrator(api, user) } }
  ))
  const base = link.base ?? publicUrl ?? configuredBase(host, port)
  const url = signInUrl(base, link.token)
  print({ ...context, json }, { url, expires_at: link.expires_at },
    `${url}\n\nIt signs in ${stripControlChars(link.user.name)} <${stripControlChars(link.user.email)}>, once, until ` +
    `${link.expires_at}.`)
}

const configuredBase = (host: string, port: number): string => {
  if (port !== 0) return pagesBaseOf(host, port)
  throw new Refusal('The server is not running, and its port is not known before it does: start it first, or set PORT.')
}
