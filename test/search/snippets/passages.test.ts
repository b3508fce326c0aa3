// What passages say that they take is about what they take: a store is bounded by it.
// @own-process: what earlier tests leave behind would be collected while it counts
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { createPassages, type Passages } from '../../../src/search/snippets/passages.js'
import { bestSentence, queryWords } from '../../../src/search/snippets/best-sentence.js'
import { openWordVectors } from '../../../src/search/embedders/word-vectors/open-word-vectors.js'

const TEXTS = 60
const SENTENCES = 600

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

const bytesInUse = (): number => {
  if (typeof collect !== 'function') throw new Error('there is no gc')
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Most words are in no dictionary and in no other text, as names of parts of programs are. */
const textOf = (number: number): string => Array.from({ length: SENTENCES }, (_, place) =>
  `Refunds of plan${number}x${place} reach the customer by way${number}y${place} and card.`).join(' ')

t.test('the memory of passages that were asked about several times', async (t) => {
  const nearTo = (await openWordVectors()).nearTo('refunds of a customer')
  const explain = (passages: Passages) => bestSentence(passages, { words: queryWords({ nowher: 1, plan7x599: 1 }), nearness: nearTo })
  const held: Passages[] = []
  const add = (number: number): void => {
    const passages = createPassages(textOf(number))
    for (let questions = 0; questions < 3; questions++) explain(passages)
    held.push(passages)
  }
  // What is loaded and compiled once is not of the texts.
  for (let number = 0; number < 5; number++) add(number)
  const [before, ignored] = [bytesInUse(), held.length]
  for (let number = 0; number < TEXTS; number++) add(ignored + number)
  const taken = bytesInUse() - before
  const estimated = held.slice(ignored).reduce((sum, { bytes }) => sum + bytes, 0)
  t.ok(taken < estimated * 2, `${TEXTS} texts take ${taken} bytes, and say ${estimated}`)
  t.ok(taken > estimated * 0.4, `${TEXTS} texts take ${taken} bytes, and say ${estimated}`)
})
