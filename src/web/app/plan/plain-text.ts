/** Turns the text of a record into one plain line for a card, a head or an accessible name. */
import { escapeInvisible } from '../../../lib/text/invisible.js'

const LINK = /!?\[([^[\]]{1,500})\]\([^()\s]{0,2000}\)/g
const CODE = /`([^`]+)`/g
const STRONG = /\*\*(?=\S)(.{1,2000}?)\*\*/g
// Only around whole words: the underscores in KUBECTL_PORT_FORWARD and __init__.py stay.
const EMPHASIS = /(^|[\s(["'])(__?|\*)(?=\S)([^*_]{1,2000})\2(?=$|[\s)\]"',:;!?]|\.(?:\s|$))/g

/** One line without marks of inline markdown, and with invisible and direction characters as `\uXXXX`. */
export const plainText = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  const bare = /[`*_[]/.test(line)
    ? line.replace(LINK, '$1').replace(CODE, '$1').replace(STRONG, '$1').replace(EMPHASIS, '$1$3')
    : line
  return escapeInvisible(bare)
}

/** Returns a text of several lines with its line breaks, and with invisible and direction characters as `\uXXXX`. */
export const plainLines = (text: string): string =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => escapeInvisible(line.replaceAll('\t', ' '))).join('\n')
