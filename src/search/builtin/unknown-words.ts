/** What a word that nobody lists may mean: a phrase written as one, a known word with something before or after it, or two in one. */
export type Known = (word: string) => boolean

const PREFIXES = ['re', 'un', 'pre', 'non', 'multi', 'auto', 'sub', 'inter', 'over', 'micro', 'anti', 'cross', 'de', 'dis', 'mis', 'co', 'up', 'super']
const SUFFIXES: readonly (readonly [string, readonly string[]])[] = [
  ['ability', ['able', '', 'e']], ['ibility', ['ible']], ['isation', ['ize', 'ise']], ['ization', ['ize', '']], ['ation', ['ate', 'e', '']],
  ['fulness', ['ful']], ['iness', ['y']], ['ness', ['']], ['less', ['']], ['ful', ['']], ['able', ['', 'e']], ['ible', ['', 'e']], ['ment', ['']],
  ['ally', ['al', '']], ['ily', ['y']], ['ly', ['', 'le']], ['ity', ['', 'e']], ['ise', ['ize', '']], ['ize', ['', 'y']], ['ify', ['', 'y']],
  ['ship', ['']], ['hood', ['']], ['or', ['e', '']], ['ist', ['', 'y']], ['ish', ['']], ['y', ['', 'e']]
]
const SHORTEST = 3

/** Known words with how much each of them counts, or none. `base` finds the known base form of an inflected word. */
export function guess (word: string, known: Known, base: (form: string) => string | undefined): readonly (readonly [string, number])[] {
  for (let at = 2; at <= word.length - 2; at++) {
    const phrase = `${word.slice(0, at)}_${word.slice(at)}`
    if (known(phrase)) return [[phrase, 1]]
  }
  const prefix = PREFIXES.find((start) => word.startsWith(start) && word.length - start.length > SHORTEST && base(word.slice(start.length)))
  if (prefix !== undefined) return [[base(word.slice(prefix.length)) ?? '', 1]]
  const halves = compound(word, base)
  if (halves) return halves.map((half) => [half, 0.6])
  for (const [ending, replacements] of SUFFIXES) {
    if (!word.endsWith(ending) || word.length - ending.length < SHORTEST) continue
    const stem = replacements.map((other) => word.slice(0, -ending.length) + other).find(known)
    if (stem !== undefined) return [[stem, 1]]
  }
  return []
}

/** The most even split into two known words. */
function compound (word: string, base: (form: string) => string | undefined): [string, string] | undefined {
  const middle = Math.floor(word.length / 2)
  for (let step = 0; middle - step >= SHORTEST; step++) {
    for (const at of [middle - step, middle + step]) {
      if (at < SHORTEST || word.length - at < SHORTEST) continue
      const [first, second] = [word.slice(0, at), base(word.slice(at))]
      if (second !== undefined && base(first) === first) return [first, second]
    }
  }
  return undefined
}
