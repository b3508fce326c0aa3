// The stems of plain questions, made beside the database, are those that to_tsvector makes, in the order of the text.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import type { Database } from '../../src/db/database.js'
import { plainStems } from '../../src/db/search-memory/plain-stems.js'
import { readLexicon } from '../../src/search/embedders/word-vectors/lexicon.js'
import { database } from '../helpers/database.js'
import { gradedSet } from '../search/graded-set.js'

const BATCH = 5000
/** All of them take seven seconds, and were equal when the stems were written. */
const EVERY = 8
const LEXICON = new URL('../../src/search/embedders/word-vectors/wordnet.bin', import.meta.url)

const stemsByDatabase = async (db: Database, texts: readonly string[]): Promise<string[][]> => {
  const rows = await db.query<{ stems: string[] }>(`
    select (select coalesce(jsonb_agg(lexeme order by positions[1]), '[]') from unnest(to_tsvector('english', text))) as stems
    from unnest($1::text[]) with ordinality as asked (text, place) order by place`, [texts])
  return rows.map(({ stems }) => stems)
}

/** Returns how many of the texts are plain. */
const compare = async (db: Database, texts: readonly string[]): Promise<number> => {
  const plain = texts.flatMap((text) => {
    const stems = plainStems(text)
    return stems ? [{ text, stems }] : []
  })
  const expected = await stemsByDatabase(db, plain.map(({ text }) => text))
  for (const [place, { text, stems }] of plain.entries()) {
    const same = expected[place] ?? []
    if (stems.join('\n') !== same.join('\n')) throw new Error(`${JSON.stringify(text)}: ${stems.join()} in place of ${same.join()}`)
  }
  return plain.length
}

t.test('words that the lexicon knows', async (t) => {
  const db = await database(t)
  const words = [...readLexicon(readFileSync(LEXICON)).words()].filter((_, place) => place % EVERY === 0)
  let compared = 0
  for (let from = 0; from < words.length; from += BATCH) compared += await compare(db, words.slice(from, from + BATCH))
  t.ok(compared > 5000, `${compared} of ${words.length} words`)
})

t.test('questions as they are asked', async (t) => {
  const db = await database(t)
  const { queries, offTopic, lines } = gradedSet()
  const texts = [...queries.map(({ query }) => query), ...offTopic, ...lines.flatMap((line) => JSON.stringify(line).split(/[{}]|\\n/))]
  const compared = await compare(db, texts)
  t.ok(compared > 100, `${compared} of ${texts.length} texts`)
})

t.test('what is not plain is left to the database', (t) => {
  for (const text of ["don't", 'a/b', 'x_y', 'v1.2', 'k8s', 'a.b', '\u212Aelvin', 'naïve', 'a--b', '-a', 'a-', '&', '<b>', 'a@b', 'x'.repeat(2000)]) {
    t.equal(plainStems(text), undefined, text)
  }
  t.same(plainStems(''), [])
  t.same(plainStems(' The "Refunds" of (annual) plans, and re-funding: it. '), ['refund', 'annual', 'plan', 're-fund', 're', 'fund'])
  t.end()
})

t.test('any text', async (t) => {
  const db = await database(t)
  const pieces = fc.constantFrom(' ', '\n', '\t', '-', '--', '.', ':', "'", '"', '(', ')', '*', '`', '[', ']', '{', '}', ',', ';', '!', '?', '/', '&', '#',
    'x', 'y', 'refunds', 'The', 'ied', 'ying', 'ational', 'ss', 'ed', 'ing', 'http', 'www', 'mailto', 'e', 'a')
  const texts = fc.array(fc.oneof(pieces, fc.stringMatching(/^[a-zA-Z]{1,8}$/)), { maxLength: 20 }).map((some) => some.join(''))
  const property = fc.asyncProperty(fc.array(texts, { minLength: 20, maxLength: 50 }), async (some) => { await compare(db, some) })
  await fc.assert(property, { numRuns: 100 })
})
