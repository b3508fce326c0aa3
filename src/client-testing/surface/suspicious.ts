/** Finds what attackers hide in the texts that models read: unseen or look-alike characters, addresses, other tools. */
import { isObject } from '../../lib/json/json-object.js'
import { escapeInvisible, stripInvisible } from '../../lib/text/invisible.js'

/** Letters that look like those of ASCII in usual fonts: Cyrillic, Greek, Armenian, and the letters for mathematics. */
const LOOK_ALIKE = 'аеорсухіјѕһԁԛԝӏвкмнтгАВЕКМНОРСТХІЈЅҮԌΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονικρυχγօսոհցքԱՏՕ' +
  '\\u{FF21}-\\u{FF3A}\\u{FF41}-\\u{FF5A}\\u{1D400}-\\u{1D7CB}'
const WORD = /[\p{L}\p{N}_]+/gu
const HAS_LOOK_ALIKE = new RegExp(`[${LOOK_ALIKE}]`, 'u')
const LOOK_ALIKE_NAME = new RegExp(`^[${LOOK_ALIKE}A-Za-z0-9_.-]*[${LOOK_ALIKE}][${LOOK_ALIKE}A-Za-z0-9_.-]*$`, 'u')
const ADDRESS = new RegExp([
  '(?:https?|wss?|ftp):\\/\\/[^\\s"\'`<>()\\[\\]{}]+',
  '(?:mailto|javascript|data):[^\\s"\'`<>]+',
  '[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,5}',
  '\\b(?:[a-z0-9-]{1,63}\\.){1,5}(?:com|net|org|dev|info|biz|xyz|site|online|cloud|ru|cn)\\b[^\\s"\'`<>()\\[\\]{}]*',
  '\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b'
].join('|'), 'gi')
/** Names that are usual words count only where they stand as code. */
const DISTINCT_NAME = /[_.-]|[a-z][A-Z]|\d/
const NOT_TEXT = new Set(['$schema', '$id', '$ref', 'uri', 'uriTemplate', 'mimeType', 'pattern'])
const MAX_NAMED = 3

/** Says which characters of a text are invisible, or look like letters that they are not. */
const odditiesIn = (text: string, isName: boolean): string[] => [
  ...(text === stripInvisible(text) ? [] : [`invisible characters: ${excerpt(hiddenPart(text))}`]),
  ...(isName && LOOK_ALIKE_NAME.test(text) ? [text] : mixedWordsIn(text)).slice(0, MAX_NAMED)
    .map((word) => `letters that look like others: ${word} (${codesOf(word)})`)
]

const mixedWordsIn = (text: string): string[] => HAS_LOOK_ALIKE.test(text)
  ? [...text.matchAll(WORD)].map(([word]) => word).filter((word) => HAS_LOOK_ALIKE.test(word) && /[A-Za-z]/.test(word))
  : []

const hiddenPart = (text: string): string => {
  const at = [...text].findIndex((character) => stripInvisible(character) !== character)
  return [...text].slice(Math.max(0, at - 10), at + 20).join('')
}
const excerpt = (text: string): string => JSON.stringify(escapeInvisible(text).slice(0, 120))
const codesOf = (word: string): string => [...word].filter((letter) => letter > '\u007f')
  .map((letter) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`).join(' ')

const textsIn = (value: unknown, key = ''): Array<{ text: string, isName: boolean }> => {
  if (typeof value === 'string') return NOT_TEXT.has(key) ? [] : [{ text: value, isName: key === 'name' }]
  if (Array.isArray(value)) return value.flatMap((part) => textsIn(part, key))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, part]) => [{ text: name, isName: true }, ...textsIn(part, name)])
}

/** Says what is odd about the characters of a value, whatever it was before. `name` is its field. */
export const oddCharactersIn = (value: unknown, name = ''): string[] => [
  ...new Set([{ text: name, isName: true }, ...textsIn(value, name)]
    .flatMap(({ text, isName }) => odditiesIn(text, isName)))
]

/** What is known of a value or of a whole surface: its odd characters and its addresses. */
export interface Known { oddities: ReadonlySet<string>, addresses: ReadonlySet<string> }

export const knownOf = (value: unknown, name = ''): Known =>
  ({ oddities: new Set(oddCharactersIn(value)), addresses: new Set(addressesIn(joined(value, name))) })

/**
 * Says what a changed value has that is suspicious, and that was not there before.
 * @param known of the value before; of all that the server showed, where the value is new
 * @param tools the names of the other tools
 */
export const suspicionsOf = (
  { before, after }: { before: unknown, after: unknown }, name: string, known: Known, tools: readonly string[]
): string[] => {
  const [oldText, text] = [joined(before, name), joined(after, name)]
  return [
    ...oddCharactersIn(after, name).filter((oddity) => !known.oddities.has(oddity)),
    ...addressesIn(text).filter((address) => !known.addresses.has(address)).slice(0, MAX_NAMED)
      .map((address) => `an address that is new: ${address}`),
    ...tools.filter((tool) => isNamed(text, tool) && !isNamed(oldText, tool)).slice(0, MAX_NAMED)
      .map((tool) => `the name of another tool that is new: ${tool}`)
  ]
}

const joined = (value: unknown, name: string): string => textsIn(value, name).map(({ text }) => text).join('\n')

const addressesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(ADDRESS)].map(([address]) => address.replace(/[.,;:!?]+$/, '').slice(0, 200)))]

const isNamed = (text: string, tool: string): boolean => {
  const found = text.indexOf(tool)
  if (found === -1) return false
  const escaped = tool.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const form = DISTINCT_NAME.test(tool) ? `(?<![\\w-])${escaped}(?![\\w-])` : `(["'\`])${escaped}\\1`
  return new RegExp(form).test(text)
}
