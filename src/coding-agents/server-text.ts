/** Texts of a server: data of somebody who may be hostile, to be shown and nothing else. */
import { Refusal } from '../lib/errors.js'

// Controls, marks of direction, characters without a width, and ends of lines: what steers a terminal, or begins a
// line of its own.
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]+/gu

/** One line to show; undefined for what is no text. */
export const shownText = (value: unknown, maxLength = 300): string | undefined =>
  typeof value === 'string' ? value.slice(0, maxLength).replaceAll(UNSHOWN, ' ').trim() : undefined

const ID = /^[\w-]{1,64}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
const MAX_URL_LENGTH = 2000

/** An id as records have it, which may stand in a command line; undefined for anything else. */
export const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && ID.test(value) ? value : undefined

/** RFC 3339; null where the server says that there is none, undefined for anything else. */
export const timeIn = (value: unknown): string | null | undefined => {
  if (value === null || value === undefined) return null
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}

/** An address for a person to open, as a URL writes it: without spaces and controls; undefined for anything else. */
export const addressIn = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH || !URL.canParse(value)) return undefined
  const { protocol, href, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : undefined
}

// What the URL parser lets through, and agents, shells or our own templates would expand or end a text at.
const EXPANDED = /[\s"'`$\\{}<>|^]/

/** Whether an endpoint's address may stand in an agent's file: nothing in it is a placeholder there. */
export const isPlainUrl = (url: string): boolean => url.length <= MAX_URL_LENGTH && !EXPANDED.test(url)

/** @throws {Refusal} for an address that an agent would expand */
export const requirePlainUrl = (url: string): void => {
  if (!isPlainUrl(url)) throw new Refusal('The address has signs in it that agents and shells take for a placeholder, such as $ or {: write them as %24 and %7B.')
}
