// The matrix to be factored: how much each word says of each of WordNet's meanings.
import { lemmatize, type WordList } from '../../src/search/embedders/word-vectors/lemmatize.js'
import { STOP_WORDS } from '../../src/search/embedders/word-vectors/stop-words.js'
import { clauses } from '../../src/search/embedders/word-vectors/tokens.js'
import type { SparseMatrix } from './factors.js'
import { relatedMeanings } from './related-meanings.js'
import type { WordNet } from './wordnet.js'

const IN_DEFINITION = 0.5
const IN_EXAMPLE = 0.15
const IN_PHRASE = 0.35
/** What glosses say spreads less along the relations than what a word means. */
const SAID_SPREADS = 0.3
const LONGEST_PHRASE = 4

export interface WordsByMeanings {
  words: readonly string[]
  /** How likely a word of running English is this one. */
  likelihoods: Float64Array
  matrix: SparseMatrix
}

type Weights = Map<number, number>

export function wordsByMeanings (wordNet: WordNet): WordsByMeanings {
  const words = [...new Set(wordNet.synsets.flatMap((synset) => synset.lemmas))]
  const index = new Map(words.map((word, i) => [word, i]))
  const { own, counts } = ownMeanings(wordNet, words, index)
  const said = saidMeanings(wordNet, index, own, counts)
  const total = counts.reduce((sum, count) => sum + count)
  return { words, likelihoods: counts.map((count) => count / total), matrix: spread(wordNet, own, said) }
}

/** Each lemma's own meanings, the likelier senses heavier; how often it was tagged. */
function ownMeanings ({ synsets, sense }: WordNet, words: readonly string[], index: ReadonlyMap<string, number>) {
  const own = words.map((): Weights => new Map())
  const counts = new Float64Array(words.length)
  synsets.forEach((synset, s) => {
    for (const lemma of synset.lemmas) {
      const { number, count } = sense(lemma, synset.key)
      const id = index.get(lemma)!
      counts[id]! += count
      own[id]!.set(s, Math.sqrt(count + 0.5 + 1 / number))
    }
  })
  for (const meanings of own) {
    const most = Math.max(...meanings.values())
    for (const [s, weight] of meanings) meanings.set(s, weight / most)
  }
  return { own, counts }
}

/** What a word says of the meanings in whose glosses or phrases it stands. Adds the words of the glosses to the counts. */
function saidMeanings (
  { synsets }: WordNet, index: ReadonlyMap<string, number>, own: readonly Weights[], counts: Float64Array
) {
  const said = own.map((): Weights => new Map())
  const tagged = counts.slice()
  const wordList: WordList = {
    has: (word) => index.has(word), likelihood: (word) => tagged[index.get(word)!]!, named: () => false
  }
  const say = (id: number, s: number, weight: number) => {
    if ((said[id]!.get(s) ?? 0) < weight) said[id]!.set(s, weight)
  }
  synsets.forEach((synset, s) => {
    for (const [text, weight] of [[synset.definition, IN_DEFINITION], [synset.examples, IN_EXAMPLE]] as const) {
      for (const { id, stop } of wordsOf(text, index, wordList)) {
        counts[id]!++
        if (!stop) say(id, s, weight)
      }
    }
    for (const lemma of synset.lemmas) {
      const parts = lemma.split('_')
      if (parts.length < 2) continue
      const prior = own[index.get(lemma)!]!.get(s) ?? 0
      for (const part of parts) {
        const id = index.get(part)
        if (id !== undefined && !STOP_WORDS.has(part)) say(id, s, IN_PHRASE * prior)
      }
    }
  })
  return said
}

/** The words of a gloss and its phrases. */
function * wordsOf (text: string, index: ReadonlyMap<string, number>, wordList: WordList) {
  for (const tokens of clauses(text)) {
    const forms = tokens.map((token) => token.toLowerCase())
    const bases = forms.map((form) => lemmatize(form, wordList))
    for (let at = 0; at < forms.length; at++) {
      const id = index.get(bases[at] ?? '')
      if (id !== undefined) yield { id, stop: STOP_WORDS.has(forms[at]!) }
      for (let length = Math.min(LONGEST_PHRASE, forms.length - at); length > 1; length--) {
        const phrase = [forms, bases].map((spelled) => index.get(spelled.slice(at, at + length).join('_'))).find((found) => found !== undefined)
        if (phrase === undefined) continue
        yield { id: phrase, stop: false }
        break
      }
    }
  }
}

/** M = L + G + (L + 0.3 G)·R, rare words heavier, each meaning brought to length 1. */
function spread (wordNet: WordNet, own: readonly Weights[], said: readonly Weights[]): SparseMatrix {
  const near = relatedMeanings(wordNet)
  const width = near.length
  const starts = new Uint32Array(own.length + 1)
  const columns: number[] = []
  const values: number[] = []
  const squares = new Float64Array(width)
  own.forEach((meanings, w) => {
    const row: Weights = new Map()
    const add = (s: number, weight: number, spreads: number) => {
      row.set(s, (row.get(s) ?? 0) + weight)
      for (const [t, part] of near[s]!) row.set(t, (row.get(t) ?? 0) + weight * spreads * part)
    }
    for (const [s, weight] of meanings) add(s, weight, 1)
    for (const [s, weight] of said[w]!) add(s, weight, SAID_SPREADS)
    const rarity = Math.log(1 + width / Math.max(row.size, 1))
    for (const [s, weight] of row) {
      columns.push(s)
      values.push(weight * rarity)
      squares[s]! += (weight * rarity) ** 2
    }
    starts[w + 1] = columns.length
  })
  return {
    rows: own.length,
    width,
    starts,
    columns: Uint32Array.from(columns),
    values: Float32Array.from(values, (value, i) => value / Math.sqrt(squares[columns[i]!]!))
  }
}
