/** The terms of the thesaurus as texts are read: each word in its base form. */
import { lemmas } from './lemmas.js'

export function canonicalGroups (groups: readonly (readonly string[])[], listed: (word: string) => boolean): string[][] {
  const single = new Set(groups.flat().filter((term) => !term.includes('_')))
  const base = (word: string) => lemmas(word).find((form) => listed(form) || (form !== word && single.has(form))) ?? word
  return groups.map((terms) => [...new Set(terms.map((term) => listed(term) ? term : term.split('_').map(base).join('_')))])
}
