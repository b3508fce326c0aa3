/** Moves the words of each group of a thesaurus towards each other, so that synonyms get similar vectors. */
import type { Lexicon } from './lexicon.js'
import { STOP_WORDS } from './stop-words.js'
import { addTo, hashToVector, normalize } from '../../vector.js'

// How strongly a group attracts its words; the weight of the group's own meaning; the weight of a word inside a term.
const ATTRACTION = 2
const GROUP_IDENTITY = 0.25
const INNER_WORD_WEIGHT = 0.25
const LARGEST = 127

/** The words that were moved. Their vectors have one byte per number, precise enough to compare. */
export interface RetrofittedWords {
  rows: ReadonlyMap<string, number>
  /** The terms of groups; the other words stand inside phrases. */
  terms: ReadonlySet<string>
  /** The numbers of all rows one after the other, and what each row is multiplied with. */
  numbers: Int8Array
  scales: Float32Array
  common: Float32Array
}

/** All sums are rows of one table, given back as a whole: a thousand small arrays would leave holes. */
export function retrofit (lexicon: Lexicon, groups: readonly (readonly string[])[]): RetrofittedWords {
  const { dimensions } = lexicon
  const members = groups.map(membersOf)
  const rows = new Map<string, number>()
  for (const words of members) for (const word of words.keys()) if (!rows.has(word)) rows.set(word, rows.size)
  const sums = new Float32Array(rows.size * dimensions)
  const times = new Float64Array(rows.size)
  const rowAt = (row: number) => sums.subarray(row * dimensions, (row + 1) * dimensions)

  groups.forEach((terms, group) => {
    const words = members[group] ?? new Map<string, number>()
    const centre = new Float32Array(dimensions)
    for (const [word, weight] of words) {
      const id = lexicon.find(word)
      if (id !== undefined) lexicon.add(id, weight, centre)
    }
    addTo(normalize(centre), hashToVector(terms.join(), dimensions), GROUP_IDENTITY)
    normalize(centre)
    for (const [word, weight] of words) {
      const row = rows.get(word) ?? 0
      addTo(rowAt(row), centre, weight)
      times[row] = (times[row] ?? 0) + weight
    }
  })

  const numbers = new Int8Array(sums.length)
  const scales = new Float32Array(rows.size)
  const common = new Float32Array(dimensions)
  for (const [word, row] of rows) {
    const sum = rowAt(row)
    const strength = ATTRACTION / Math.max(Math.sqrt(times[row] ?? 0), 1)
    for (let i = 0; i < dimensions; i++) sum[i]! *= strength
    const id = lexicon.find(word)
    if (id !== undefined) lexicon.add(id, 1, sum)
    addTo(common, normalize(sum), 1)
    const scale = scales[row] = sum.reduce((max, value) => Math.max(max, Math.abs(value)), 0) / LARGEST
    if (scale > 0) numbers.set(sum.map((value) => Math.round(value / scale)), row * dimensions)
  }
  return { rows, terms: new Set(groups.flat()), numbers, scales, common: normalize(common) }
}

/** The terms of a group with weight 1, and the words inside its phrases with less. */
function membersOf (terms: readonly string[]): Map<string, number> {
  const members = new Map<string, number>()
  for (const term of terms) {
    const words = term.includes('_') ? term.split('_') : []
    for (const word of words) if (!STOP_WORDS.has(word)) members.set(word, INNER_WORD_WEIGHT)
  }
  for (const term of terms) members.set(term, 1)
  return members
}
