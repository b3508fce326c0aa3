/** Derives unlisted words: a phrase written as one word, a known word with a prefix or suffix, or a compound of two. */
import { lemmatize, type WordList } from './lemmatize.js'

const PREFIXES = 're un pre non multi auto sub inter over micro anti cross de dis mis co up super'.split(' ')
const SUFFIXES: readonly (readonly [string, readonly string[]])[] = [
  ['ability', ['able', '', 'e']], ['ibility', ['ible']], ['isation', ['ize', 'ise']], ['ization', ['ize', '']],
  ['ation', ['ate', 'e', '']], ['fulness', ['ful']], ['iness', ['y']], ['ness', ['']], ['less', ['']], ['ful', ['']],
  ['able', ['', 'e']], ['ible', ['', 'e']], ['ment', ['']], ['ally', ['al', '']], ['ily', ['y']], ['ly', ['', 'le']],
  ['ity', ['', 'e']], ['ise', ['ize', '']], ['ize', ['', 'y']], ['ify', ['', 'y']],
  ['ship', ['']], ['hood', ['']], ['or', ['e', '']], ['ist', ['', 'y']], ['ish', ['']], ['y', ['', 'e']]
]
const MIN_LENGTH = 3
// The least likelihood of each half of a compound: gamers is not gam + ers.
const LIKELY = 1e-6
const HALF = 0.6

/** The known words that the word is made of, with their weights; none when it cannot be derived. */
export function deriveWords (word: string, wordList: WordList): readonly (readonly [word: string, count: number])[] {
  const base = splitPhrase(word, wordList) ?? afterPrefix(word, wordList)
  if (base !== undefined) return [[base, 1]]
  const halves = compound(word, wordList)
  if (halves) return halves.map((half) => [half, HALF])
  const stem = beforeSuffix(word, wordList)
  return stem === undefined ? [] : [[stem, 1]]
}

/** login → log_in */
function splitPhrase (word: string, { has }: WordList): string | undefined {
  for (let at = 2; at <= word.length - 2; at++) {
    const phrase = `${word.slice(0, at)}_${word.slice(at)}`
    if (has(phrase)) return phrase
  }
  return undefined
}

/** reroute → route */
function afterPrefix (word: string, wordList: WordList): string | undefined {
  for (const prefix of PREFIXES) {
    if (!word.startsWith(prefix) || word.length - prefix.length <= MIN_LENGTH) continue
    const rest = lemmatize(word.slice(prefix.length), wordList)
    if (rest !== undefined) return rest
  }
  return undefined
}

/** webhook → web, hook: the most even split into two likely words. */
function compound (word: string, wordList: WordList): [string, string] | undefined {
  const likely = (form: string | undefined): form is string =>
    form !== undefined && (wordList.named(form) || wordList.likelihood(form) > LIKELY)
  const middle = Math.floor(word.length / 2)
  for (let step = 0; middle - step >= MIN_LENGTH; step++) {
    for (const at of [middle - step, middle + step]) {
      if (at < MIN_LENGTH || word.length - at < MIN_LENGTH) continue
      const [first, second] = [word.slice(0, at), lemmatize(word.slice(at), wordList)]
      if (wordList.has(first) && likely(first) && likely(second)) return [first, second]
    }
  }
  return undefined
}

/** searchable → search */
function beforeSuffix (word: string, { has }: WordList): string | undefined {
  for (const [ending, replacements] of SUFFIXES) {
    if (!word.endsWith(ending) || word.length - ending.length < MIN_LENGTH) continue
    const stem = replacements.map((other) => word.slice(0, -ending.length) + other).find(has)
    if (stem !== undefined) return stem
  }
  return undefined
}
