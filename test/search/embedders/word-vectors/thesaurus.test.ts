// What a thesaurus may look like, that ours does, and that its words are read and meant as they stand.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { features } from '../../../../src/search/embedders/word-vectors/features.js'
import { readLexicon } from '../../../../src/search/embedders/word-vectors/lexicon.js'
import { openWordVectors } from '../../../../src/search/embedders/word-vectors/open-word-vectors.js'
import { retrofit } from '../../../../src/search/embedders/word-vectors/retrofit.js'
import { canonicalGroups, readThesaurus } from '../../../../src/search/embedders/word-vectors/thesaurus.js'
import { vocabulary } from '../../../../src/search/embedders/word-vectors/vocabulary.js'

const fileOf = (name: string) => new URL(`../../../../src/search/embedders/word-vectors/${name}`, import.meta.url)

const likenessBy = async (options = {}) => {
  const { embed } = await openWordVectors(options)
  return async (one: string, other: string) => {
    const [a, b] = await embed([one, other].map((text) => ({ parts: [{ text, weight: 1 }] })), { kind: 'query' })
    return a!.reduce((sum, x, i) => sum + x * b![i]!, 0)
  }
}

t.test('groups, and lines that are no group, with their numbers', async (t) => {
  t.same(
    readThesaurus('\uFEFF# comment\r\n\r\nrefund, Money back,charge-back # more\r\na,b').groups,
    [['refund', 'money_back', 'charge_back'], ['a', 'b']]
  )
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

t.test('ours: groups of four to ten terms, none part of another, no term in more than five', async (t) => {
  const { groups, faults } = readThesaurus(await readFile(fileOf('thesaurus.txt'), 'utf8'))
  t.same(faults, [])
  t.ok(groups.length >= 1300, `${groups.length} groups`)
  t.same(groups.filter(({ length }) => length < 4 || length > 10), [])
  const standing = new Map<string, Set<number>>()
  groups.forEach((terms, i) => terms.forEach((term) => standing.set(term, (standing.get(term) ?? new Set()).add(i))))
  t.same(groups.filter((terms, i) => groups.some((_, j) => j !== i && terms.every((term) => standing.get(term)?.has(j)))), [])
  t.same([...standing].filter(([, within]) => within.size > 5).map(([term]) => term), [])

  const lexicon = readLexicon(await readFile(fileOf('wordnet.bin')))
  const canonical = canonicalGroups(groups, groups, lexicon)
  const { count } = features(vocabulary(lexicon, retrofit(lexicon, canonical)))
  const unheard = groups.flatMap((terms, i) => terms.filter((term) => {
    const said = new Map<string, number>()
    count(term.replaceAll('_', ' '), 1, said)
    return !canonical[i]?.some((word) => said.has(word))
  }))
  t.same(unheard, [], 'a text that says a term is read as a word of its group')
})

t.test('words of the thesaurus are taken as they stand, in texts of any form', async (t) => {
  const likeness = await likenessBy()
  t.ok(await likeness('sms', 'texting') > 0.5)
  t.ok(await likeness('sms', 'samarium') < 0.2, 'an abbreviation is no plural')
  t.ok(await likeness('embeddings', 'semantic search') > 0.5)
  t.ok(await likeness('embedding', 'iframe') < 0.3, 'nor a participle')
  t.ok(await likeness('declined cards', 'failed payments') > 0.4)
  t.ok(await likeness('logging in', 'login') > 0.5, 'a phrase is known by any form of its words')
  t.ok(await likeness('we got locked out', 'forgotten passwords') > 0.5)
})

t.test('the operator’s own brings words together and changes the version; its bad lines are named', async (t) => {
  const thesaurusFile = join(t.testdir(), 'own.txt')
  const version = async (options = {}) => (await openWordVectors(options)).version
  await writeFile(thesaurusFile, 'flurbination, returned parcel\n')
  const words = ['flurbination', 'returned parcel'] as const
  t.ok(await (await likenessBy())(...words) < 0.2)
  t.ok(await (await likenessBy({ thesaurusFile }))(...words) > 0.5)
  t.not(await version(), await version({ thesaurusFile }))
  const refused: Array<[string, string | RegExp]> = [
    ['fine, good\nalone\n', /own\.txt:2: a group is/],
    [Array.from({ length: 5001 }, (_, i) => `a${i}, b${i}\n`).join(''), 'THESAURUS_FILE has 5001 groups; at most 5000 are read.'],
    ['#'.repeat(4_000_001), 'THESAURUS_FILE is larger than 4 MB.']
  ]
  for (const [text, message] of refused) {
    await writeFile(thesaurusFile, text)
    await t.rejects(openWordVectors({ thesaurusFile }), { name: 'Refusal', message })
  }
  await t.rejects(openWordVectors({ thesaurusFile: '/nowhere/own.txt' }), {
    name: 'Refusal', message: 'There is no file /nowhere/own.txt (THESAURUS_FILE).'
  })
})
