// How near each of WordNet's meanings is to those it points to.
import type { WordNet } from './wordnet.js'

// By WordNet's pointer symbols.
const NEARNESS: Readonly<Record<string, number>> = {
  '@': 0.5, // hypernym
  '@i': 0.3, // instance of
  '~': 0.25, // hyponym
  '+': 0.7, // derivation
  '&': 0.6, // similar
  '\\': 0.6, // pertainym
  '<': 0.6, // participle
  '*': 0.4, // entails
  '>': 0.4, // causes
  '^': 0.4, // see also
  $: 0.5, // verb group
  '!': 0.3, // antonym
  '#p': 0.2, // part
  '%p': 0.2,
  '#s': 0.2, // substance
  '%s': 0.2,
  ';c': 0.25, // domain: topic, region, usage
  ';r': 0.25,
  ';u': 0.25,
  '-c': 0.1,
  '-r': 0.1,
  '-u': 0.1
}

/** For each meaning others with a nearness; one that points to many is less near to each. */
export function relatedMeanings ({ synsets, byKey }: WordNet): readonly (readonly (readonly [number, number])[])[] {
  return synsets.map(({ relations }) => {
    const weights = new Map<number, number>()
    for (const { kind, to } of relations) {
      const [weight, t] = [NEARNESS[kind] ?? 0, byKey.get(to)]
      if (weight > 0 && t !== undefined && (weights.get(t) ?? 0) < weight) weights.set(t, weight)
    }
    const scale = Math.sqrt(Math.max([...weights.values()].reduce((sum, weight) => sum + weight, 0), 1))
    return [...weights].map(([t, weight]) => [t, weight / scale] as const)
  })
}
