/** What a word that nobody lists may mean: a phrase written as one, a known word with something before or after it, or two in one. */
import { baseForm, type Listing } from './lemmatize.js'

const PREFIXES = ['re', 'un', 'pre', 'non', 'multi', 'auto', 'sub', 'inter', 'over', 'micro', 'anti', 'cross', 'de', 'dis', 'mis', 'co', 'up', 'super']
const SUFFIXES: readonly (readonly [string, readonly string[]])[] = [
  ['ability', ['able', '', 'e']], ['ibility', ['ible']], ['isation', ['ize', 'ise']], ['ization', ['ize', '']], ['ation', ['ate', 'e', '']],
  ['fulness', ['ful']], ['iness', ['y']], ['ness', ['']], ['less', ['']], ['ful', ['']], ['able', ['', 'e']], ['ible', ['', 'e']], ['ment', ['']],
  ['ally', ['al', '']], ['ily', ['y']], ['ly', ['', 'le']], ['ity', ['', 'e']], ['ise', ['ize', '']], ['ize', ['', 'y']], ['ify', ['', 'y']],
  ['ship', ['']], ['hood', ['']], ['or', ['e', '']], ['ist', ['', 'y']], ['ish', ['']], ['y', ['', 'e']]
]
const SHORTEST = 3
// What a half of a compound must be at least as likely as, so that gamers are no gam-ers.
const LIKELY = 1e-6
const HALF = 0.6

/** Known words with how much each of them counts, or none. */
export function guess (word: string, listing: Listing): readonly (readonly [word: string, count: number])[] {
  const known = squashed(word, listing) ?? afterPrefix(word, listing)
  if (known !== undefined) return [[known, 1]]
  const halves = compound(word, listing)
  if (halves) return halves.map((half) => [half, HALF])
  const stem = beforeSuffix(word, listing)
  return stem === undefined ? [] : [[stem, 1]]
}

/** login, log_in */
function squashed (word: string, { has }: Listing): string | undefined {
  for (let at = 2; at <= word.length - 2; at++) {
    const phrase = `${word.slice(0, at)}_${word.slice(at)}`
    if (has(phrase)) return phrase
  }
  return undefined
}

/** reroute, route */
function afterPrefix (word: string, listing: Listing): string | undefined {
  for (const prefix of PREFIXES) {
    if (!word.startsWith(prefix) || word.length - prefix.length <= SHORTEST) continue
    const rest = baseForm(word.slice(prefix.length), listing)
    if (rest !== undefined) return rest
  }
  return undefined
}

/** webhook, web and hook: the most even split into two likely words. */
function compound (word: string, listing: Listing): [string, string] | undefined {
  const likely = (form: string | undefined): form is string =>
    form !== undefined && (listing.named(form) || listing.likelihood(form) > LIKELY)
  const middle = Math.floor(word.length / 2)
  for (let step = 0; middle - step >= SHORTEST; step++) {
    for (const at of [middle - step, middle + step]) {
      if (at < SHORTEST || word.length - at < SHORTEST) continue
      const [first, second] = [word.slice(0, at), baseForm(word.slice(at), listing)]
      if (listing.has(first) && likely(first) && likely(second)) return [first, second]
    }
  }
  return undefined
}

/** searchable, search */
function beforeSuffix (word: string, { has }: Listing): string | undefined {
  for (const [ending, replacements] of SUFFIXES) {
    if (!word.endsWith(ending) || word.length - ending.length < SHORTEST) continue
    const stem = replacements.map((other) => word.slice(0, -ending.length) + other).find(has)
    if (stem !== undefined) return stem
  }
  return undefined
}
