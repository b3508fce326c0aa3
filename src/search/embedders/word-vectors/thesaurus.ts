/** Groups of terms with nearly the same meaning: those of the built-in thesaurus and of the operator's. */
import { readFile, stat } from 'node:fs/promises'
import { unreadable } from '../../../lib/error-code.js'
import { Refusal } from '../../../lib/errors.js'
import { lemmatize } from './lemmatize.js'
import type { Lexicon } from './lexicon.js'

export type Groups = readonly (readonly string[])[]

const TERM = /^[\p{L}\p{N}]+(_[\p{L}\p{N}]+){0,3}$/u
const FAULTS_SHOWN = 20
// Each term takes memory of its own.
const MAX_GROUPS = 5000
const MAX_BYTES = 4_000_000

/** The built-in groups and all. @throws {Refusal} that names each bad line of the operator's thesaurus */
export const readGroups = async (thesaurusFile: string | undefined): Promise<{ own: Groups, groups: Groups }> => {
  const own = readThesaurus(await readFile(new URL('thesaurus.txt', import.meta.url), 'utf8')).groups
  return { own, groups: thesaurusFile === undefined ? own : [...own, ...await readOperators(thesaurusFile)] }
}

const readOperators = async (path: string): Promise<Groups> => {
  const read = async () => {
    if ((await stat(path)).size > MAX_BYTES) throw new Refusal(`THESAURUS_FILE is larger than ${MAX_BYTES / 1e6} MB.`)
    return await readFile(path, 'utf8')
  }
  const { groups, faults } = readThesaurus(await read().catch((error: unknown) => {
    throw error instanceof Refusal ? error : new Refusal(unreadable(`${path} (THESAURUS_FILE)`, error))
  }))
  if (groups.length > MAX_GROUPS) {
    throw new Refusal(`THESAURUS_FILE has ${groups.length} groups; at most ${MAX_GROUPS} are read.`)
  }
  if (faults.length === 0) return groups
  const lines = faults.slice(0, FAULTS_SHOWN).map(({ line, reason }) => `${path}:${line}: ${reason}.`)
  if (faults.length > FAULTS_SHOWN) lines.push(`… and ${faults.length - FAULTS_SHOWN} more lines of it.`)
  throw new Refusal(`THESAURUS_FILE has lines that are no group of terms.\n${lines.join('\n')}`)
}

/** One group per line, its terms separated by commas, in lower case, phrases with `_`; `#` is a comment. */
export function readThesaurus (text: string): { groups: Groups, faults: Array<{ line: number, reason: string }> } {
  const groups: string[][] = []
  const faults: Array<{ line: number, reason: string }> = []
  text.replace(/^\uFEFF/, '').split(/\r?\n/).forEach((line, i) => {
    const content = line.replace(/#.*/, '').trim()
    if (content === '') return
    const terms = [...new Set(content.split(',').map((term) => term.trim().toLowerCase().replace(/[\s_-]+/g, '_')))]
    const reason = faultOf(terms)
    if (reason === undefined) groups.push(terms)
    else faults.push({ line: i + 1, reason })
  })
  return { groups, faults }
}

function faultOf (terms: readonly string[]): string | undefined {
  const bad = terms.find((term) => term.length > 64 || !TERM.test(term))
  if (bad === '') return 'there is nothing between two commas'
  if (bad !== undefined) return `${JSON.stringify(bad.slice(0, 40))} is not one to four words of letters and digits`
  if (terms.length < 2) return 'a group is at least two different terms, parted by commas'
  return terms.length > 64 ? 'a group is at most 64 terms' : undefined
}

/** Terms in the base forms that texts are read as; the words of `own` are base forms already: SMS is no plural. */
export function canonicalGroups (groups: Groups, own: Groups, lexicon: Lexicon): string[][] {
  const [single, ownWords] = [groups, own].map((all) => new Set(all.flat().filter((term) => !term.includes('_'))))
  const isListed = (word: string) => ownWords?.has(word) === true || lexicon.find(word) !== undefined
  const bases = new Map<string, string>()
  const canonical = (word: string): string => {
    const base = bases.get(word) ?? lemmatize(word, {
      has: (form) => isListed(form) || (form !== word && single?.has(form) === true),
      likelihood: (form) => lexicon.likelihood(lexicon.find(form) ?? -1),
      named: (form) => ownWords?.has(form) === true
    }) ?? word
    bases.set(word, base)
    return base
  }
  return groups.map((terms) => [...new Set(terms.map((term) =>
    isListed(term) ? term : term.split('_').map(canonical).join('_')))])
}
