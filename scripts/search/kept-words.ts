// Chooses the words worth their bytes: no names, no rare animals, plants, body parts and substances, no phrases
// that no one is likely to write.
import type { WordNet } from './wordnet.js'

const RARE_KINDS = new Set([5, 8, 20, 27])
const SPELLED = /^[a-z0-9]+(_[a-z0-9]+){0,3}$/
const COMMON_COUNT = 1e-7

/** Places of the kept words, in the order of the alphabet. */
export function keptWords (
  { synsets }: WordNet, words: readonly string[], likelihoods: Float64Array, most: number
): number[] {
  const wanted = new Set(synsets.filter(({ instance, kind }) => !instance && !RARE_KINDS.has(kind)).flatMap(({ lemmas }) => lemmas))
  const likelihood = new Map(words.map((word, i) => [word, likelihoods[i]!]))
  // Single words first, then phrases by their rarest part.
  const worth = words.map((word, i) => {
    if (!SPELLED.test(word)) return -1
    const parts = word.split('_')
    if (parts.length === 1) return (wanted.has(word) || likelihoods[i]! > COMMON_COUNT ? 2 : 0) + likelihoods[i]!
    if (!wanted.has(word)) return -1
    return Math.min(...parts.map((part) => likelihood.get(part) ?? (part.length < 4 ? 1 : 0)))
  })
  return words.map((_, i) => i)
    .filter((i) => worth[i]! >= 0)
    .sort((a, b) => worth[b]! - worth[a]! || a - b).slice(0, most)
    .sort((a, b) => words[a]! < words[b]! ? -1 : 1)
}
