/** Whether two words are forms of one, which the database's stemmer does not see in paid and pay, payment and pay, children and child. */

const FORMS = `
  be been was were is are|bring brought|build built|buy bought|catch caught|choose chose chosen|come came|cost costs|cut cuts|deal dealt|drive drove driven
  draw drew drawn|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown flight|forget forgot forgotten|freeze froze frozen
  get got gotten|give gave given gift|go went gone|grow grew grown growth|have had|hear heard|hide hid hidden|hold held|keep kept|know knew known|knowledge know
  lead led|learn learnt|leave left|lend lent|lose lost loss|make made|mean meant|meet met|pay paid|quit quits|read reads|ring rang rung|rise rose risen
  run ran|say said|see saw seen sight|seek sought|sell sold sale|send sent|set sets|show shown|shut shuts|sit sat|sleep slept|speak spoke spoken|speech speak
  spend spent|split splits|stand stood|steal stole stolen|stick stuck|swear swore sworn|take took taken|teach taught|tell told|think thought|throw threw thrown
  understand understood|wake woke woken|wear wore worn|win won|write wrote written|break broke broken|begin began begun|child children|person people|man men
  woman women|foot feet|tooth teeth|mouse mice|life lives live|half halves|leaf leaves|knife knives|shelf shelves|self selves|thief thieves theft|wife wives
  good better best|bad worse worst|far further|little less least|many more most|one first once|two second twice|day daily|money monetary|choice choose
  advice advise|proof prove|belief believe|relief relieve|receipt receive|length long|strength strong|width wide|depth deep|height high|heat hot|deep depth
  analysis analyse analyze|datum data|criterion criteria|medium media|index indices indexes|matrix matrices|ill illness|die death dead|lock locked|sign signature
`
const families = new Map<string, Set<number>>()
FORMS.trim().split(/[|\n]/).forEach((family, index) => {
  for (const word of family.trim().split(' ')) families.set(word, (families.get(word) ?? new Set()).add(index))
})

// What may follow a word and leave it the same word.
const ENDING = /^(?:s|es|d|ed|er|ers|or|ors|ing|ings|ment|ments|al|ally|ion|ions|ation|ations|able|ness|ly|ity|ful|less|ship|ance|ence|ant|ent|ive|ist|ism|ous)$/

export const related = (one: string, other: string): boolean => {
  if (one === other || extends_(one, other) || extends_(other, one)) return true
  const theirs = families.get(other)
  return theirs !== undefined && [...families.get(one) ?? []].some((family) => theirs.has(family))
}

/** "payment" of "pay", "hiring" of "hire", "stopped" of "stop", "carries" of "carry" */
const extends_ = (long: string, short: string): boolean => {
  if (short.length < 3) return false
  const bases = [
    short,
    ...(short.endsWith('e') ? [short.slice(0, -1)] : []),
    short + short.at(-1),
    ...(short.endsWith('y') ? [`${short.slice(0, -1)}i`] : [])
  ]
  return bases.some((base) => long.startsWith(base) && ENDING.test(long.slice(base.length)))
}
