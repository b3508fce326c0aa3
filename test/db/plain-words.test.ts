// The stems of the words of plain questions are, put together, those that to_tsvector makes, in the order of the text.
import fc from 'fast-check'
import t from 'tap'
import type { Database } from '../../src/db/database.js'
import { plainWords } from '../../src/db/search-memory/plain-words.js'
import { createWordStems, type Stem } from '../../src/db/search-memory/word-stems.js'
import { database } from '../helpers/database.js'
import { gradedSet } from '../search/graded-set.js'
import { runs } from '../helpers/fuzzing.js'

const stemsByDatabase = async (db: Database, texts: readonly string[]): Promise<string[][]> => {
  const rows = await db.query<{ stems: string[] }>(`
    select (select coalesce(jsonb_agg(lexeme order by positions[1]), '[]') from unnest(to_tsvector('english', text))) as stems
    from unnest($1::text[]) with ordinality as asked (text, place) order by place`, [texts])
  return rows.map(({ stems }) => stems)
}

const stemsOfWords = async (db: Database, words: readonly string[]): Promise<Stem[]> => {
  const rows = await db.query<{ stem: Stem }>(
    "select (ts_lexize('english_stem', word))[1] as stem from unnest($1::text[]) with ordinality as asked (word, place) order by place", [words])
  return rows.map(({ stem }) => stem)
}

/** Returns how many of the texts are plain. */
const compare = async (db: Database, texts: readonly string[]): Promise<number> => {
  const wordStems = createWordStems()
  const unknown = wordStems.unknown(texts.flatMap((text) => plainWords(text) ?? []))
  wordStems.add(unknown, await stemsOfWords(db, unknown))
  const plain = texts.flatMap((text) => {
    const words = plainWords(text)
    return words ? [{ text, stems: wordStems.stemsOf(words) ?? ['unknown'] }] : []
  })
  const expected = await stemsByDatabase(db, plain.map(({ text }) => text))
  for (const [place, { text, stems }] of plain.entries()) {
    const same = expected[place] ?? []
    if (stems.join('\n') !== same.join('\n')) throw new Error(`${JSON.stringify(text)}: ${stems.join()} in place of ${same.join()}`)
  }
  return plain.length
}

t.test('questions as they are asked', async (t) => {
  const db = await database(t)
  const { queries, offTopic, lines } = gradedSet()
  const texts = [...queries.map(({ query }) => query), ...offTopic, ...lines.flatMap((line) => JSON.stringify(line).split(/[{}]|\\n/))]
  const compared = await compare(db, texts)
  t.ok(compared > 100, `${compared} of ${texts.length} texts`)
})

t.test('what is not plain is left to the database', (t) => {
  for (const text of ["don't", 'a/b', 'x_y', 'v1.2', 'k8s', 'a.b', '\u212Aelvin', 'naïve', 'a--b', '-a', 'a-', '&', '<b>', 'a@b', 'x'.repeat(2000)]) {
    t.equal(plainWords(text), undefined, text)
  }
  t.same(plainWords(''), [])
  t.same(plainWords(' The "Refunds" of (annual) plans, and re-funding: it. '), ['the', 'refunds', 'of', 'annual', 'plans', 'and', 're-funding', 're', 'funding', 'it'])
  t.end()
})

t.test('any text', async (t) => {
  const db = await database(t)
  const pieces = fc.constantFrom(' ', '\n', '\t', '-', '--', '.', ':', "'", '"', '(', ')', '*', '`', '[', ']', '{', '}', ',', ';', '!', '?', '/', '&', '#',
    'x', 'y', 'refunds', 'The', 'ied', 'ying', 'ational', 'ss', 'ed', 'ing', 'http', 'www', 'mailto', 'e', 'a')
  const texts = fc.array(fc.oneof(pieces, fc.stringMatching(/^[a-zA-Z]{1,8}$/)), { maxLength: 20 }).map((some) => some.join(''))
  const property = fc.asyncProperty(fc.array(texts, { minLength: 20, maxLength: 50 }), async (some) => { await compare(db, some) })
  await fc.assert(property, runs(100))
})

t.test('words that were added the longest ago make room, and no text is put together without them', (t) => {
  const wordStems = createWordStems()
  wordStems.add(['first', 'the'], ['first', null])
  t.same(wordStems.stemsOf(['the', 'first', 'first']), ['first'])
  t.same(wordStems.unknown(['first', 'second', 'second']), ['second'])
  const many = Array.from({ length: 20_000 }, (_, n) => `w${n}`)
  wordStems.add(many, many)
  t.equal(wordStems.stemsOf(['first']), undefined)
  t.same(wordStems.unknown(['first', 'w0']), ['first'])
  t.end()
})
