/** Finds explicit dependencies in the text of a task: "(depends on T003-T006)", "Depends: 1.1", "(after T004)". */

export interface MentionedIds {
  /** As written. */
  ids: string[]
  ranges: Array<readonly [string, string]>
}

const KEYWORD = new RegExp(
  String.raw`\b(?:depends?\s+(?:up)?on|depending\s+on|dependent\s+on|dependenc(?:y|ies)(?=\s*[:：])|` +
  String.raw`depends(?=\s*[:：])|blocked\s+by|waits?\s+(?:for|on))\s*[:：]?|依存(?:関係)?\s*[:：]`,
  'gi'
)
// These words have other meanings in prose: they count only right after a bracket.
const BRACKETED = /[(（]\s*(?:after|requires?|needs|prerequisites?|follows)\s*[:：]?/gi

const ID =
  String.raw`(?:T-?\d+(?:\.\d+)*(?:-[A-Z]{1,10}(?![A-Za-z-])|[a-z])?|` +
  String.raw`[A-Z][A-Z0-9]*-\d+(?:\.\d+)*|#\d+|\d+(?:\.\d+)*[a-z]?)`
// Not the beginning of a word, such as 2-factor. T001-T004 is a range.
const END = String.raw`(?![A-Za-z0-9_]|-(?!T-?\d)[A-Za-z])`
const LIST = new RegExp(
  String.raw`^[\s:：]*(?:(?:the\s+)?tasks?\s+)?(${ID})${END}` +
  String.raw`(?:\s*(?:-|–|—|\.\.\.?|…|~|through|thru|to)\s*(${ID})${END})?`,
  'i'
)
/** A remark on the id before it. */
const REMARK = /^\s*(?:\([^()]*\)|\[[^\][]*\])/
const CONNECTOR = /^\s*(?:,\s*and\s|,|、|;|&|\+|\/|and\s|or\s)\s*/i

/** The ids and ranges that the text names as dependencies, in its order; emphasis and code marks are ignored. */
export const mentionedDependencies = (text: string): MentionedIds => {
  const plain = text.replaceAll(/\[([^\][]*)\]\([^()]*\)/g, '$1').replaceAll(/[*`_]+/g, ' ')
  const found: MentionedIds = { ids: [], ranges: [] }
  for (const pattern of [KEYWORD, BRACKETED]) {
    for (const match of plain.matchAll(pattern)) readList(plain.slice(match.index + match[0].length), found)
  }
  return found
}

const readList = (text: string, found: MentionedIds): void => {
  let rest = text
  for (let match = LIST.exec(rest); match; match = LIST.exec(rest)) {
    const [whole, from = '', to] = match
    rest = rest.slice(whole.length)
    // A bare number followed by a word is a count: "depends on 2 services".
    if (/^\d+$/.test(from) && /^\s+[A-Za-z]{2,}/.test(rest) && !/^\s+(?:and|or|to)\b/i.test(rest)) return
    if (to === undefined) found.ids.push(from)
    else found.ranges.push([from, to])
    rest = rest.replace(REMARK, '')
    const connector = CONNECTOR.exec(rest)
    if (!connector) return
    rest = rest.slice(connector[0].length)
  }
}

/** The known ids in a range between two ids with the same letters: `T003` to `T006`, `1.1` to `1.4`. */
export const idsInRange = ([from, to]: readonly [string, string], known: readonly string[]): string[] => {
  const first = split(from)
  const last = split(/^\d+$/.test(to) && /^[A-Za-z]/.test(from) ? first.letters + to : to)
  if (first.letters !== last.letters || last.number - first.number > 1000) return [from, to]
  return known.filter((id) => {
    const { letters, number } = split(id)
    return letters === first.letters && number >= first.number && number <= last.number
  })
}

/** The part before the last number, in lower case, and that number. */
const split = (id: string): { letters: string; number: number } => {
  const match = /^(.*?)(\d+)[a-z]?$/i.exec(id)
  return { letters: (match?.[1] ?? '').toLowerCase(), number: Number(match?.[2] ?? NaN) }
}
