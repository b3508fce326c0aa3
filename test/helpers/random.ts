/** Numbers and choices that a seed decides, and changes of texts made with them. */

export interface Random {
  /** An integer from 0 to below `most`. */
  integer (most: number): number
  choose<Item> (items: readonly [Item, ...Item[]]): Item
}

/** The same seed gives the same choices: mulberry32. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = state + 0x6D2B79F5 >>> 0
    let mixed = Math.imul(state ^ state >>> 15, state | 1)
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61)
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32
  }
  const integer = (most: number): number => Math.floor(next() * most)
  return { integer, choose: (items) => items[integer(items.length)] ?? items[0] }
}

const PIECES = ['\0', '\\u0000', '\\ud800', '\\u005f', '\u202e', '\u{E0041}', '"', '\\', '{', '}', '[', ']', ',', ':', 'null', 'true', '-1', '1e308', '1e-400',
  '9007199254740993', '""', '{}', '[]', '__proto__', 'constructor', '%00', '%', '.', '/', '..', '=', '\u{1F600}', '\u0315\u0316', '0', '-', 'x', '\n', '='] as const

/** The text with one to four places cut, doubled, moved, or replaced by what parsers stumble over. */
export const mutate = (text: string, random: Random): string => {
  let result = text
  for (let change = random.integer(4); change >= 0; change--) {
    const at = random.integer(result.length + 1)
    const length = random.integer(random.choose([2, 8, 64]))
    const part = result.slice(at, at + length)
    const put = random.choose(['', part + part, part.repeat(random.integer(100)), random.choose(PIECES), random.choose(PIECES).repeat(random.integer(200)),
      String.fromCharCode(random.integer(0x10000)), result.slice(random.integer(result.length + 1)).slice(0, 40)])
    result = result.slice(0, at) + put + result.slice(at + length)
  }
  return result.slice(0, 100_000)
}
