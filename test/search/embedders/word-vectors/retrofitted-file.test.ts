// The words that are retrofitted when the program is built are those that a start would retrofit itself.
import t from 'tap'
import { bytesInFile, bytesInMemory } from '../../../../src/search/embedders/word-vectors/byte-source.js'
import { readLexicon } from '../../../../src/search/embedders/word-vectors/lexicon.js'
import { retrofit } from '../../../../src/search/embedders/word-vectors/retrofit.js'
import { packRetrofitted, readRetrofitted } from '../../../../src/search/embedders/word-vectors/retrofitted-file.js'

const folder = new URL('../../../../src/search/embedders/word-vectors/', import.meta.url)

t.test('a file of retrofitted words', async (t) => {
  const words = retrofit(readLexicon(bytesInFile(new URL('wordnet.bin', folder))), [['payment', 'fee', 'price_list'], ['fee', 'charge']])
  // A file that does not begin at a multiple of four bytes, as small ones in Node's pool.
  const file = bytesInMemory(Buffer.concat([Buffer.from('x'), packRetrofitted(words, 'version 1')]).subarray(1))
  const read = readRetrofitted(file, 'version 1')
  t.ok(read)
  if (!read) return
  const all = [...words.words()]
  t.same([...read.words()], all, 'in the same order')
  t.same(all.map(read.find), [...all.keys()])
  t.equal(read.find('refund'), undefined)
  t.same(all.filter((_, row) => read.isTerm(row)), ['payment', 'fee', 'price_list', 'charge'])
  t.same(all.filter((_, row) => words.isTerm(row)), ['payment', 'fee', 'price_list', 'charge'])
  t.same(read.common, words.common)
  for (const row of all.keys()) {
    t.equal(read.vectors.dot(row, words.common), words.vectors.dot(row, words.common))
    const [one, other] = [read, words].map(({ vectors }) => {
      const sum = new Float32Array(words.common.length)
      vectors.add(row, 2, sum)
      return sum
    })
    t.same(one, other)
  }
  t.not(words.find('list'), undefined, 'also words inside phrases')
  t.equal(readRetrofitted(file, 'version 2'), undefined, 'words of another version are not read')
})
