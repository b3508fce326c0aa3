/**
 * Removes or escapes invisible characters: controls, direction marks, zero-width characters, variation selectors and
 * the tags U+E0000 to U+E0FFF. They can control a terminal, reverse the reading order, or hide text that a model reads
 * and a person does not see.
 *
 * Keeps those that writing needs: the joiners inside emoji sequences (👩‍💻) and between letters of scripts that join
 * or stack (Persian, Hindi …), the selector after an emoji (❤️) and in a keycap (1️⃣), and the flags of England,
 * Scotland and Wales. Removes all others, variants of Han characters too, because each could carry a hidden byte.
 */

const JOINING = [
  'Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu',
  'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Thaana'
].map((script) => `\\p{Script=${script}}`).join('')

/** Each pattern matches one invisible character in a position where writing needs it. */
const NEEDED = [
  // Between two emoji, the first with or without its selector or skin tone.
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\u{FE0F}?)\\u{200D}(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Extended_Pictographic})[\\u{FE0E}\\u{FE0F}]',
  '(?<=[0-9#*])\\u{FE0F}(?=\\u{20E3})',
  `(?<=[${JOINING}])[\\u{200C}\\u{200D}](?=[${JOINING}])`
].map((place) => `(?!${place})`).join('')

const inTags = (letters: string): string =>
  [...letters].map((letter) => String.fromCodePoint(0xE0000 + letter.charCodeAt(0))).join('')
const FLAGS = `\\u{1F3F4}(?:${['gbeng', 'gbsct', 'gbwls'].map(inTags).join('|')})\\u{E007F}`

const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\u{FFF9}-\\u{FFFB}'
// Without tabs and line breaks, which are visible.
const CONTROLS = '\\0-\\x08\\x0E-\\x1F\\x7F-\\x84\\x86-\\x9F'

// Ranges that `stripInvisible` removes nothing of: a class of few takes a seventh of the time of one with all.
const USUAL = '\\t-\\r -~\\xA0-\\xAC\\xAE-\\u034E\\u0350-\\u061B' +
  '\\u2010-\\u2029\\u202F-\\u205F\\u2070-\\u3163\\u3165-\\uD7FF'
const UNUSUAL = new RegExp(`[^${USUAL}]`)
const ANY_UNSEEN = new RegExp(`[${UNSEEN}${CONTROLS}]`, 'u')
// No writing needs these anywhere. Runs are removed at once: one by one, 5 million of them hold the event loop for 2 s.
const NEVER_NEEDED = new RegExp(`[${CONTROLS}\\u061C\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF]+`, 'g')
// The characters first: what stands around each is looked at only where there is one.
const STRIPPED = new RegExp(`(${FLAGS})|(?=[${UNSEEN}${CONTROLS}])${NEEDED}[^]`, 'gu')
const ANY_ESCAPED = new RegExp(`[${UNSEEN}\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]`, 'u')
const ESCAPED = new RegExp(`(${FLAGS})|(?=[${UNSEEN}\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}])${NEEDED}[^]`, 'gu')

/** Whether a text has any character that is not surely visible: `stripInvisible` changes no other text. */
export const hasUnusual = (text: string): boolean => UNUSUAL.test(text)

/** Removes invisible characters from a text for a model. Tabs and line breaks stay. */
export const stripInvisible = (text: string): string =>
  hasUnusual(text) && ANY_UNSEEN.test(text)
    ? text.replaceAll(NEVER_NEEDED, '').replace(STRIPPED, (_all, flag: string | undefined) => flag ?? '')
    : text

/** Writes each one, tabs and line breaks too, as `\uXXXX`, for one line on a terminal. JSON stays the same JSON. */
export const escapeInvisible = (text: string): string =>
  ANY_ESCAPED.test(text) ? text.replace(ESCAPED, (all, flag: string | undefined) => flag ?? escapesOf(all)) : text

/** The same, but tabs and line breaks stay. */
export const escapeInvisibleInLines = (text: string): string =>
  text.split(/([\t\n])/).map((part, index) => index % 2 === 1 ? part : escapeInvisible(part)).join('')

const escapesOf = (text: string): string => {
  let escapes = ''
  for (let at = 0; at < text.length; at++) escapes += `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
  return escapes
}

/** Strips all strings of a JSON value of at most 64 levels; gives the value itself when there is nothing to remove. */
export const stripInvisibleIn = <Value>(value: Value): Value => stripped(value) as Value

const stripped = (value: unknown): unknown => {
  if (typeof value === 'string') return stripInvisible(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(stripped)
    return items.every((item, index) => item === value[index]) ? value : items
  }
  const entries = Object.entries(value)
  const parts = entries.map(([, part]) => stripped(part))
  return parts.every((part, index) => part === entries[index]?.[1])
    ? value
    : Object.fromEntries(entries.map(([key], index) => [key, parts[index]]))
}
