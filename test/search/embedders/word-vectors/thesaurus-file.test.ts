// What a thesaurus may look like, and that ours does.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openWordVectors } from '../../../../src/search/embedders/word-vectors/open-word-vectors.js'
import { readThesaurus } from '../../../../src/search/embedders/word-vectors/thesaurus.js'

t.test('groups', async (t) => {
  t.same(
    readThesaurus('\uFEFF# comment\r\n\r\nrefund, Money back,charge-back # more\r\na,b').groups,
    [['refund', 'money_back', 'charge_back'], ['a', 'b']]
  )
})

t.test('lines that are no group, with their numbers', async (t) => {
  const { groups, faults } = readThesaurus(
    `a, b\nalone\na,,b\n<b>, c\none two three four five, c\nsame, same\n${'x'.repeat(65)}, y\n${Array.from({ length: 65 }, (_, i) => `w${i}`)}`
  )
  t.same(groups, [['a', 'b']])
  t.same(faults.map(({ line }) => line), [2, 3, 4, 5, 6, 7, 8])
  t.match(
    faults.map(({ reason }) => reason),
    [/at least two/, /nothing between/, /"<b>"/, /one to four words/, /at least two/, /one to four/, /at most 64/]
  )
})

t.test('ours', async (t) => {
  t.same(
    readThesaurus(readFileSync(new URL('../../../../src/search/embedders/word-vectors/thesaurus.txt', import.meta.url), 'utf8')).faults,
    []
  )
})

t.test('the operator’s own: brings words together, changes the version; its bad lines are named', async (t) => {
  const thesaurusFile = join(t.testdir(), 'own.txt')
  const likeness = async (options = {}) => {
    const embedder = await openWordVectors(options)
    const [a, b] = await embedder.embed(['flurbination', 'returned parcel'].map((text) => ({ parts: [{ text, weight: 1 }] })), { kind: 'query' })
    return { version: embedder.version, cosine: a!.reduce((sum, value, i) => sum + value * b![i]!, 0) }
  }
  await writeFile(thesaurusFile, 'flurbination, returned parcel\n')
  const [without, own] = [await likeness(), await likeness({ thesaurusFile })]
  t.ok(without.cosine < 0.2 && own.cosine > 0.5, JSON.stringify([without, own]))
  t.not(without.version, own.version)
  await writeFile(thesaurusFile, 'fine, good\nalone\n')
  await t.rejects(openWordVectors({ thesaurusFile }), { name: 'Refusal', message: /own\.txt:2: a group is/ })
  await writeFile(thesaurusFile, Array.from({ length: 5001 }, (_, i) => `a${i}, b${i}\n`).join(''))
  await t.rejects(openWordVectors({ thesaurusFile }), {
    name: 'Refusal', message: 'THESAURUS_FILE has 5001 groups; at most 5000 are read.'
  })
  await writeFile(thesaurusFile, '#'.repeat(4_000_001))
  await t.rejects(openWordVectors({ thesaurusFile }), {
    name: 'Refusal', message: 'THESAURUS_FILE is larger than 4 MB.'
  })
  await t.rejects(openWordVectors({ thesaurusFile: `${thesaurusFile}.none` }), {
    name: 'Refusal', message: `There is no file ${thesaurusFile}.none (THESAURUS_FILE).`
  })
})
