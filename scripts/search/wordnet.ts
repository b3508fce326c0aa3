// Reads WordNet's database files: meanings with their lemmas, glosses and relations, and how often each sense was tagged.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Synset {
  /** Part of speech and offset. */
  key: string
  /** Number of the lexicographer's file, such as 5 for animals. */
  kind: number
  lemmas: readonly string[]
  relations: readonly { kind: string, to: string }[]
  /** Of one thing only, such as a city. */
  instance: boolean
  definition: string
  examples: string
}

export interface WordNet {
  synsets: readonly Synset[]
  /** The place of a synset by its key. */
  byKey: ReadonlyMap<string, number>
  /** How usual it is that a lemma has this meaning: `sense('log_in', 'v02253154')`. */
  sense (lemma: string, key: string): { number: number, count: number }
}

const PARTS = [['noun', 'n'], ['verb', 'v'], ['adj', 'a'], ['adv', 'r']] as const
const UNLISTED = { number: 9, count: 0 }

export async function readWordNet (folder: string): Promise<WordNet> {
  const synsets: Synset[] = []
  for (const [file, part] of PARTS) {
    const lines = (await readFile(join(folder, `data.${file}`), 'utf8')).split('\n')
    synsets.push(...lines.filter((line) => line !== '' && !line.startsWith(' ')).map((line) => readSynset(line, part)))
  }
  const senses = new Map<string, { number: number, count: number }>()
  for (const line of (await readFile(join(folder, 'index.sense'), 'utf8')).split('\n')) {
    const [key = '', offset = '', number, count] = line.trim().split(' ')
    if (count === undefined) continue
    const [lemma = '', lex = ''] = key.split('%')
    const id = `${canonical(lemma)} ${'nvara'.charAt(Number(lex.charAt(0)) - 1)}${offset}`
    const other = senses.get(id) ?? UNLISTED
    senses.set(id, { number: Math.min(Number(number), other.number), count: Number(count) + other.count })
  }
  return {
    synsets,
    byKey: new Map(synsets.map(({ key }, i) => [key, i])),
    sense: (lemma, key) => senses.get(`${lemma} ${key}`) ?? UNLISTED
  }
}

/** As the built-in embedder spells it: `log_in`. */
const canonical = (lemma: string): string =>
  lemma.toLowerCase().replace(/\([a-z]+\)$/, '').replace(/[-/]/g, '_').replaceAll("'", '')

function readSynset (line: string, part: string): Synset {
  const bar = line.indexOf(' | ')
  const gloss = line.slice(bar + 3)
  const field = line.slice(0, bar).split(' ')
  const next = field.values()
  const take = () => next.next().value ?? ''
  const [offset, kind] = [take(), Number(take())]
  take()
  const lemmas = Array.from({ length: parseInt(take(), 16) }, () => {
    const lemma = take()
    take()
    return canonical(lemma)
  })
  const relations = Array.from({ length: Number(take()) }, () => {
    const relation = { kind: take(), offset: take(), part: take() }
    take()
    return { kind: relation.kind, to: (relation.part === 's' ? 'a' : relation.part) + relation.offset }
  })
  const quote = gloss.indexOf('"')
  return {
    key: part + offset,
    kind,
    lemmas: [...new Set(lemmas)],
    relations,
    instance: relations.some(({ kind }) => kind === '@i'),
    definition: quote < 0 ? gloss : gloss.slice(0, quote),
    examples: quote < 0 ? '' : gloss.slice(quote)
  }
}
