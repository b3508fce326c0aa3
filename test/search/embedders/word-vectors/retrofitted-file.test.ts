// The words that are retrofitted when the program is built are those that a start would retrofit itself.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readLexicon } from '../../../../src/search/embedders/word-vectors/lexicon.js'
import { retrofit } from '../../../../src/search/embedders/word-vectors/retrofit.js'
import { packRetrofitted, readRetrofitted } from '../../../../src/search/embedders/word-vectors/retrofitted-file.js'

const folder = new URL('../../../../src/search/embedders/word-vectors/', import.meta.url)

t.test('a file of retrofitted words', async (t) => {
  const words = retrofit(readLexicon(await readFile(new URL('wordnet.bin', folder))), [['payment', 'fee', 'price_list'], ['fee', 'charge']])
  // A file that does not begin at a multiple of four bytes, as small ones in Node's pool.
  const file = Buffer.concat([Buffer.from('x'), packRetrofitted(words, 'version 1')]).subarray(1)
  const read = readRetrofitted(file, 'version 1')
  t.same(read?.rows, words.rows)
  t.same([...read?.rows.keys() ?? []], [...words.rows.keys()], 'in the same order')
  t.same(read?.terms, new Set(['payment', 'fee', 'price_list', 'charge']))
  t.same(read?.common, words.common)
  t.same(read?.vectors.table, words.vectors.table)
  t.ok(words.rows.has('list'), 'also words inside phrases')
  t.equal(readRetrofitted(file, 'version 2'), undefined, 'words of another version are not read')
})
