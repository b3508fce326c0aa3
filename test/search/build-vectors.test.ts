// The steps by which scripts/search makes the file of word vectors, on matrices small enough to know the answer.
import t from 'tap'
import { eigen, gram, orthonormal } from '../../scripts/search/dense.js'
import { factors } from '../../scripts/search/factors.js'
import { furthest } from '../../scripts/search/furthest.js'
import { pack } from '../../scripts/search/vector-file.js'
import { bytesInMemory } from '../../src/search/embedders/word-vectors/byte-source.js'
import { readLexicon } from '../../src/search/embedders/word-vectors/lexicon.js'

const near = (a: number, b: number, by = 1e-4) => Math.abs(a - b) < by
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

t.test('columns become orthonormal; eigenvalues are those known', async (t) => {
  const x = orthonormal(Float32Array.from([1, 2, 3, 4, 5, 7, 8, 1]), 2)
  t.ok([1, 0, 0, 1].every((value, i) => near(gram(x, 2)[i]!, value)))
  const { values } = eigen(Float64Array.from([2, 1, 0, 1, 2, 0, 0, 0, 5]), 3)
  t.ok([1, 3, 5].every((value, i) => near([...values].sort()[i]!, value)))
})

t.test('the rows of U·√S: alike where the matrix has them alike, the same every time', async (t) => {
  // Words 0 and 1 share meanings, as do 2 and 3; the two pairs share none. The others have little of their own.
  const others = Array.from({ length: 36 }, (_, i) => [...Array<number>(i).fill(0), 0.1])
  const dense = [[1, 1, 0, 0], [1, 0.9, 0, 0], [0, 0, 1, 2], [0, 0, 1, 2.1], ...others]
  const entries = dense.flatMap((row, r) => row.map((value, column) => ({ r, column, value })).filter(({ value }) => value !== 0))
  const matrix = {
    rows: 40,
    width: 36,
    starts: Uint32Array.from({ length: 41 }, (_, r) => entries.filter((entry) => entry.r < r).length),
    columns: Uint32Array.from(entries, ({ column }) => column),
    values: Float32Array.from(entries, ({ value }) => value)
  }
  const rows = factors(matrix, 2)
  const [a, b, c, d] = [0, 1, 2, 3].map((r) => rows.subarray(2 * r, 2 * r + 2)) as [Float32Array, Float32Array, Float32Array, Float32Array]
  t.ok(dot(a, b) > 0.99 && dot(c, d) > 0.99 && Math.abs(dot(a, c)) < 0.01)
  t.same(factors(matrix, 2), rows)
})

t.test('what is packed is read again, to four bits a value', async (t) => {
  const vectors = Float32Array.from({ length: 3 * 8 }, (_, i) => Math.sin(i * i))
  const file = pack({
    words: ['refund', 'log_in', 'é'], likelihoods: Float32Array.of(0.5, 0.25, 0), vectors, dimensions: 8
  })
  const lexicon = readLexicon(bytesInMemory(file))
  t.same([...lexicon.words()], ['refund', 'log_in', 'é'])
  t.equal(lexicon.likelihood(lexicon.find('log_in')!), 0.25)
  t.equal(lexicon.find('none'), undefined)
  const vector = new Float32Array(8)
  lexicon.add(1, 2, vector)
  t.ok(vector.every((value, i) => near(value, 2 * vectors[8 + i]!, 0.3)))
  t.throws(() => readLexicon(bytesInMemory(file.subarray(0, -1))), /cut short/)
  t.equal(furthest(lexicon, readLexicon(bytesInMemory(file))), 0)
  t.equal(furthest(lexicon, readLexicon(bytesInMemory(pack({ words: ['refund'], likelihoods: Float32Array.of(1), vectors, dimensions: 8 })))), Infinity)
})
