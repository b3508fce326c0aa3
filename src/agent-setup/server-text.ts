/** Checks texts from a server, which may be hostile, before they are shown or used. */
import { Refusal } from '../lib/errors.js'

// Control, direction and zero-width characters, and line separators, which could control a terminal or fake a line.
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+/gu

/** The text as one line to show; undefined for another type. */
export const shownText = (value: unknown, maxLength = 300): string | undefined =>
  typeof value === 'string' ? value.slice(0, maxLength).replaceAll(UNSHOWN, ' ').trim() : undefined

const ID = /^[\w-]{1,64}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const MAX_URL_LENGTH = 2000

/** An id that may stand in a command line; undefined for anything else. */
export const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && ID.test(value) ? value : undefined

/** RFC 3339; null when the server gives none, undefined for anything else. */
export const timeIn = (value: unknown): string | null | undefined => {
  if (value === null || value === undefined) return null
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}

/** An http(s) URL for a person to open, normalized; undefined for anything else. It may be relative to `base`. */
export const addressIn = (value: unknown, base?: URL): string | undefined => {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH || !URL.canParse(value, base?.href)) return undefined
  const { protocol, href, username, password } = new URL(value, base)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : undefined
}

// Characters that a URL parser accepts, and that agents, shells or templates would expand or end a text at.
const EXPANDED = /[\s"'`$\\{}<>|^]/

export const requirePlainUrl = (url: string): void => {
  if (url.length <= MAX_URL_LENGTH && !EXPANDED.test(url)) return
  throw new Refusal('The address has signs in it that agents and shells take for a placeholder, such as $ or {: ' +
    'write them as %24 and %7B.')
}
