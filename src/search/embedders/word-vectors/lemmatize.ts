/** Reduces an inflected word to its listed base form. */

export interface WordList {
  has (word: string): boolean
  /** The word's frequency in English, 0 to 1. */
  likelihood (word: string): number
  /** Whether it is a term of the thesaurus, which means it as it is written there. */
  named (word: string): boolean
}

// How many times likelier the base must be than a form that is listed itself.
const LIKELIER = [[/s$/, 1], [/(ed|ing)$/, 3]] as const

/** The listed base form; undefined when there is none. A listed form stays if its base is rarer: meeting. */
export function lemmatize (word: string, { has, likelihood, named }: WordList): string | undefined {
  const [first, ...others] = lemmas(word).filter(has)
  const [, times] = LIKELIER.find(([ending]) => ending.test(word)) ?? []
  if (first !== word || times === undefined || named(word)) return first
  return others.find((other) => likelihood(other) > times * likelihood(word)) ?? first
}

/** The possible base forms of a word, the likeliest first; never a stem, which would merge customer and custom. */
export function lemmas (token: string): string[] {
  const irregular = IRREGULAR.get(token)
  const forms = irregular === undefined ? [token] : [irregular, token]
  for (const [ending, replacements] of ENDINGS) {
    if (!token.endsWith(ending) || token.length - ending.length < 2) continue
    const rest = token.slice(0, -ending.length)
    if (!rest.endsWith('s') || ending !== 's') forms.push(...replacements.map((other) => rest + other))
    if (DOUBLED.test(rest) && ending !== 's') forms.push(rest.slice(0, -1))
  }
  return forms
}

const ENDINGS: readonly (readonly [string, readonly string[]])[] = [
  ['ies', ['y', 'ie']], ['ves', ['ve', 'f', 'fe']], ['es', ['e', '']], ['s', ['']],
  ['ied', ['y', 'ie']], ['ed', ['e', '']], ['ying', ['y', 'ie']], ['ing', ['e', '']], ['iest', ['y']],
  ['ier', ['y']], ['est', ['e', '']], ['er', ['e', '']]
]

const DOUBLED = /([^aeiou])\1$/

// A base form, then the forms that no rule finds.
const IRREGULAR = formsOf(`
  arise arose arisen, awake awoke awoken, bear bore borne, beat beaten, become became, begin began begun, bend bent,
  bind bound, bite bit bitten, bleed bled, blow blew blown, break broke broken, bring brought, build built,
  burn burnt, buy bought, catch caught, choose chose chosen, come came, creep crept, deal dealt, dig dug, do did done,
  draw drew drawn, dream dreamt, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed,
  feel felt, fight fought, find found, flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten,
  forgive forgave forgiven, freeze froze frozen, give gave given, go went gone, grow grew grown, hang hung,
  hear heard, hide hid hidden, hold held, keep kept, know knew known, lay laid, lead led, learn learnt, leave left,
  lend lent, lie lain, light lit, lose lost, make made, mean meant, meet met, mistake mistook mistaken,
  overcome overcame, override overrode overridden, pay paid, prove proven, rewrite rewrote rewritten,
  ride rode ridden, ring rang rung, rise rose risen, run ran, say said, see saw seen, seek sought, sell sold,
  send sent, shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung,
  sink sank sunk, sit sat, sleep slept, slide slid, speak spoke spoken, spell spelt, spend spent, spin spun,
  spoil spoilt, spring sprang sprung, stand stood, steal stole stolen, stick stuck, strike struck stricken,
  swear swore sworn, sweep swept, swim swam swum, swing swung, take took taken, teach taught, tear tore torn,
  tell told, think thought, throw threw thrown, understand understood, undertake undertook undertaken,
  undo undid undone, uphold upheld, wake woke woken, wear wore worn, weave wove woven, win won,
  withdraw withdrew withdrawn, write wrote written, analysis analyses, appendix appendices, axis axes, basis bases,
  child children, crisis crises, criterion criteria, diagnosis diagnoses, foot feet, goose geese, half halves,
  hypothesis hypotheses, index indices, knife knives, leaf leaves, life lives, man men, matrix matrices, mouse mice,
  parenthesis parentheses, person people, phenomenon phenomena, shelf shelves, synthesis syntheses, thesis theses,
  thief thieves, tooth teeth, vertex vertices, wife wives, woman women, bad worse worst, far further furthest,
  good better best, clothes clothes, customs customs, glasses glasses, goods goods, news news
`)

function formsOf (list: string): ReadonlyMap<string, string> {
  return new Map(list.split(',').flatMap((line) => {
    const [base = '', ...forms] = line.trim().split(/\s+/)
    return forms.map((form): [string, string] => [form, base])
  }))
}
