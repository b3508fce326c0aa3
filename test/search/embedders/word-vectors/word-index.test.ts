// Words are found by their bytes, and phrases by a table of how long they can be.
import t from 'tap'
import { phraseLengths } from '../../../../src/search/embedders/word-vectors/phrase-lengths.js'
import { bytesInFile } from '../../../../src/search/embedders/word-vectors/byte-source.js'
import { readLexicon } from '../../../../src/search/embedders/word-vectors/lexicon.js'
import { wordIndex } from '../../../../src/search/embedders/word-vectors/word-index.js'

const indexOf = (words: readonly string[]) => wordIndex(Buffer.from(words.join('\n')), words.length)

t.test('a word is found at its place, and others are not', async (t) => {
  const words = ['refund', 'log_in', 'é', 'ref', 'unds', '猫', '😀']
  const index = indexOf(words)
  t.strictSame(words.map(index.find), [0, 1, 2, 3, 4, 5, 6])
  t.strictSame([...index.words()], words)
  for (const word of ['', 'refunds', 'refun', 'e', 'Ã©', '猫猫', '\n', 'refund\nlog_in']) t.equal(index.find(word), undefined, word)
  t.equal(indexOf([]).find('a'), undefined)
})

t.test('every word of the lexicon', async (t) => {
  const lexicon = readLexicon(bytesInFile(new URL('../../../../src/search/embedders/word-vectors/wordnet.bin', import.meta.url)))
  const words = [...lexicon.words()]
  t.equal(words.findIndex((word, place) => lexicon.find(word) !== place), -1)
  const known = new Set(words)
  t.strictSame(words.map((word) => `${word}x`).filter((word) => !known.has(word) && lexicon.find(word) !== undefined), [])
})

t.test('a phrase is never taken for shorter than it is', async (t) => {
  const words = ['log_in', 'log_in_again', 'a_b_c_d_e_f', 'word']
  const { longest } = phraseLengths(words, 4)
  t.strictSame([longest('log', 'in'), longest('a', 'b'), longest('in', 'log'), longest('word', '')], [3, 4, 0, 0])
})
