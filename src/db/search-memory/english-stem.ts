/**
 * The stem of an English word as PostgreSQL's dictionary `english_stem` makes it: the Porter2 algorithm of Snowball,
 * after its stop words. Only for words of the letters a to z, which may have hyphens between them.
 */

const STOP_WORDS: ReadonlySet<string> = new Set(`
  a about above after again against all am an and any are as at be because been before being below between both but by
  can did do does doing don down during each few for from further had has have having he her here hers herself him
  himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or other
  our ours ourselves out over own s same she should so some such t than that the their theirs them themselves then there
  these they this those through to too under until up very was we were what when where which while who whom why will
  with you your yours yourself yourselves
`.trim().split(/\s+/))

/** Words that the rules would spoil, with their stems. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map(Object.entries({
  skis: 'ski',
  skies: 'sky',
  dying: 'die',
  lying: 'lie',
  tying: 'tie',
  idly: 'idl',
  gently: 'gentl',
  ugly: 'ugli',
  early: 'earli',
  only: 'onli',
  singly: 'singl',
  sky: 'sky',
  news: 'news',
  howe: 'howe',
  atlas: 'atlas',
  cosmos: 'cosmos',
  bias: 'bias',
  andes: 'andes'
}))
/** Words that stay as they are after the first step. */
const UNCHANGED_SINGULARS = new Set([
  'inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed'
])

// In all of these, Y is a y that is a consonant.
const VOWEL = /[aeiouy]/
const UP_TO_CONSONANT = /^.*?[aeiouy][^aeiouy]/
const SPECIAL_PREFIX = /^(?:gener|commun|arsen)/
const SHORT_SYLLABLE_AT_END = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/
/** Such as "add" and "egg", which keep their double letter. */
const SHORT_WITH_DOUBLE = /^[aeo](.)\1$/
const DOUBLE_AT_END = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/

const SUFFIXES_IN_R1: ReadonlyMap<string, string> = new Map(Object.entries({
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  entli: 'ent',
  izer: 'ize',
  ization: 'ize',
  ational: 'ate',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  aliti: 'al',
  alli: 'al',
  fulness: 'ful',
  ousli: 'ous',
  ousness: 'ous',
  iveness: 'ive',
  iviti: 'ive',
  biliti: 'ble',
  bli: 'ble',
  fulli: 'ful',
  lessli: 'less',
  ogi: 'og',
  li: ''
}))
const SECOND_SUFFIXES_IN_R1: ReadonlyMap<string, string> = new Map(Object.entries({
  tional: 'tion', ational: 'ate', alize: 'al', icate: 'ic', iciti: 'ic', ical: 'ic', ful: '', ness: '', ative: ''
}))
const SUFFIXES_IN_R2: ReadonlyMap<string, string> = new Map(
  'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion'.split(' ').map((end) => [end, '']))
const LONGEST_SUFFIX = 7

/** The longest of the suffixes that ends the word. */
const suffixOf = (word: string, suffixes: ReadonlyMap<string, string>): string | undefined => {
  for (let length = Math.min(LONGEST_SUFFIX, word.length); length > 0; length--) {
    const end = word.slice(-length)
    if (suffixes.has(end)) return end
  }
  return undefined
}

const cut = (word: string, end: string): string => word.slice(0, word.length - end.length)

/** Where the region after the first consonant behind a vowel begins. */
const regionAfter = (word: string, from: number): number => {
  const found = UP_TO_CONSONANT.exec(word.slice(from))
  return found ? from + found[0].length : word.length
}

/** A y that begins the word or follows a vowel is a consonant. */
const markConsonants = (word: string): string =>
  word.replace(/^y/, 'Y').replace(/[aeiouy]y/g, (pair) => `${pair.charAt(0)}Y`)

const withoutPlural = (word: string): string => {
  if (word.endsWith('sses')) return cut(word, 'es')
  if (word.endsWith('ied') || word.endsWith('ies')) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word
}

const withoutPast = (word: string, r1: number): string => {
  const end = /(?:eedly|eed|ingly|edly|ing|ed)$/.exec(word)?.[0]
  if (end === undefined) return word
  const stem = cut(word, end)
  if (end.startsWith('ee')) return stem.length >= r1 ? `${stem}ee` : word
  if (!VOWEL.test(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (DOUBLE_AT_END.test(stem)) return SHORT_WITH_DOUBLE.test(stem) ? stem : stem.slice(0, -1)
  return stem.length <= r1 && SHORT_SYLLABLE_AT_END.test(stem) ? `${stem}e` : stem
}

const withoutSuffix = (word: string, r1: number): string => {
  const end = suffixOf(word, SUFFIXES_IN_R1)
  if (end === undefined) return word
  const stem = cut(word, end)
  const fits = end === 'ogi' ? stem.endsWith('l') : end !== 'li' || /[cdeghkmnrt]$/.test(stem)
  return stem.length >= r1 && fits ? stem + (SUFFIXES_IN_R1.get(end) ?? '') : word
}

const withoutSecondSuffix = (word: string, r1: number, r2: number): string => {
  const end = suffixOf(word, SECOND_SUFFIXES_IN_R1)
  if (end === undefined) return word
  const stem = cut(word, end)
  return stem.length >= (end === 'ative' ? Math.max(r1, r2) : r1)
    ? stem + (SECOND_SUFFIXES_IN_R1.get(end) ?? '')
    : word
}

const withoutThirdSuffix = (word: string, r2: number): string => {
  const end = suffixOf(word, SUFFIXES_IN_R2)
  if (end === undefined) return word
  const stem = cut(word, end)
  return stem.length >= r2 && (end !== 'ion' || /[st]$/.test(stem)) ? stem : word
}

const withoutLastLetter = (word: string, r1: number, r2: number): string => {
  const stem = word.slice(0, -1)
  if (word.endsWith('e')) {
    return stem.length >= r2 || (stem.length >= r1 && !SHORT_SYLLABLE_AT_END.test(stem)) ? stem : word
  }
  return word.endsWith('ll') && stem.length >= r2 ? stem : word
}

/** Returns the stem of a word in small letters; undefined for a stop word. */
export const englishStem = (word: string): string | undefined => {
  if (STOP_WORDS.has(word)) return undefined
  if (word.length <= 2) return word
  const exception = EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  const marked = markConsonants(word)
  const r1 = SPECIAL_PREFIX.exec(marked)?.[0].length ?? regionAfter(marked, 0)
  const r2 = regionAfter(marked, r1)
  const singular = withoutPlural(marked)
  if (UNCHANGED_SINGULARS.has(singular)) return singular
  let stem = withoutPast(singular, r1)
  stem = stem.replace(/(?<=.[^aeiouy])[yY]$/, 'i')
  stem = withoutSuffix(stem, r1)
  stem = withoutSecondSuffix(stem, r1, r2)
  stem = withoutThirdSuffix(stem, r2)
  stem = withoutLastLetter(stem, r1, r2)
  return stem.replaceAll('Y', 'y')
}
