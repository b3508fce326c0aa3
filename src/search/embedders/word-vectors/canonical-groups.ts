/** Converts the terms of the thesaurus to the base forms that texts are read as. */
import { lemmatize } from './lemmatize.js'
import type { Lexicon } from './lexicon.js'

type Groups = readonly (readonly string[])[]

/** The words of `ours` are base forms already, whatever they look like: SMS is no plural. */
export function canonicalGroups (groups: Groups, ours: Groups, lexicon: Lexicon): string[][] {
  const single = singleWords(groups)
  const thesaurusWords = singleWords(ours)
  const isListed = (word: string) => thesaurusWords.has(word) || lexicon.find(word) !== undefined
  const bases = new Map<string, string>()
  const canonical = (word: string): string => {
    const base = bases.get(word) ?? lemmatize(word, {
      has: (form) => isListed(form) || (form !== word && single.has(form)),
      likelihood: (form) => lexicon.likelihood(lexicon.find(form) ?? -1),
      named: (form) => thesaurusWords.has(form)
    }) ?? word
    bases.set(word, base)
    return base
  }
  const canonicalTerm = (term: string): string =>
    isListed(term) ? term : term.split('_').map(canonical).join('_')
  return groups.map((terms) => [...new Set(terms.map(canonicalTerm))])
}

const singleWords = (groups: Groups): ReadonlySet<string> =>
  new Set(groups.flat().filter((term) => !term.includes('_')))
