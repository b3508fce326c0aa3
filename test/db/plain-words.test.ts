// The stems of the words of plain questions are, put together, those that to_tsvector makes, in the order of the text.
import fc from 'fast-check'
import t from 'tap'
import type { Database } from '../../src/db/database.js'
import { plainWords } from '../../src/db/search-memory/plain-words.js'
import { createWordStems, type Stem } from '../../src/db/search-memory/word-stems.js'
import { database } from '../helpers/database.js'
import { explorationsOf, gradedSet } from '../search/graded-set.js'
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
  const asked = explorationsOf(lines).flatMap(({ title, questions }) => [title, ...questions.map(({ question }) => question)])
  const written = lines.flatMap((line) => JSON.stringify(line).split(/[{}]|\\n/))
  const texts = [...queries.map(({ query }) => query), ...offTopic, ...asked, ...written]
  const compared = await compare(db, texts)
  t.ok(compared > texts.length * 0.7, `${compared} of ${texts.length} texts`)
})

t.test('what is not plain is left to the database', (t) => {
  const texts = ['\u212Aelvin', 'naïve', 'pod’s', 'a–b', '<b>', 'a <b', '<!a>', '<? a>', '&amp;', '&#38;', 'a&b', 'a@b', 'a+b', 'a:b',
    'a--b', 'a-', 'a..b', '...', 'a.b.c', 'io.b.c', 'a.b/c', '/a', './a', '~a', 'a/', 'a//b', 'http://a.bc', '-5', '+5', '1-2', 'a-1-2',
    '1-a', '1e5', '10e5x', '1.5e3', 'a_1', 'a_b.c', 'x'.repeat(2000)]
  for (const text of texts) t.equal(plainWords(text), undefined, text)
  t.end()
})

t.test('the words of plain texts', (t) => {
  const words = {
    '': [],
    ' The "Refunds" of (annual) plans, and re-funding: it. ':
      ['the', 'refunds', 'of', 'annual', 'plans', 'and', 're-funding', 're', 'funding', 'it'],
    "the pod's `kubectl exec`, **bold** [link][] {a=b}": ['the', 'pod', 's', 'kubectl', 'exec', 'bold', 'link', 'a', 'b'],
    'a - b -- c & d / e // f > g = h < i * j': [...'abcdefghij'],
    'v2 IPv6 k8s-io 2nd 3 1.22, v1.10. 1.2.3': ['v2', 'ipv6', 'k8s-io', 'k8s', 'io', '2nd', '3', '1.22', 'v1.10', '1.2.3'],
    '(e.g., read.me: and/or http/2)': ['e.g', 'read.me', 'and/or', 'http/2'],
    'KEP-1287 --dry-run _emphasis_ snake_case': ['kep', '-1287', 'dry-run', 'dry', 'run', 'emphasis', 'snake', 'case']
  }
  for (const [text, expected] of Object.entries(words)) t.same(plainWords(text), expected, text)
  t.end()
})

const MARKS = ['', ' ', '\n', ...'-.:\'"()*`[]{},;!?/&#$%@<>=+|\\^_~', '--', ' - ', '. ', ': ', '](', '://', '...', "'s ",
  '&#', '<!', '<!-- ', ' -->', '<? ', '</']
const PIECES = ['x', 'Refunds', 'the', 're-funding', 'v2', 'k8s-io', '2nd', '3', '1.5', '1.2.3', 'v1.10', 'e.g', 'read.me', 'k8s.io',
  'and/or', 'http/2', 'KEP-1287', '--dry-run', 'snake_case', '1e5', 'e', 'http', 'www', '0x1f']

t.test('each piece between each two marks, and each two pieces with a mark between them', async (t) => {
  const db = await database(t)
  const between = MARKS.flatMap((before) => MARKS.flatMap((after) => PIECES.map((piece) => `y${before}${piece}${after}2`)))
  const alone = MARKS.flatMap((before) => MARKS.flatMap((after) => PIECES.map((piece) => `${before}${piece}${after}`)))
  const pairs = PIECES.flatMap((first) => PIECES.flatMap((second) => MARKS.map((mark) => `${first}${mark}${second}`)))
  for (const [texts, least] of [[between, 20_000], [alone, 20_000], [pairs, 10_000]] as const) {
    const compared = await compare(db, texts)
    t.ok(compared > least, `${compared} of ${texts.length} texts`)
  }
})

t.test('any text', async (t) => {
  const db = await database(t)
  const pieces = fc.constantFrom(...MARKS, ...PIECES, 'y', 'ied', 'ying', 'ational', 'ss', 'ed', 'ing', 'mailto', 'com', '0')
  const piece = fc.oneof(pieces, fc.constant(' '), fc.stringMatching(/^[a-zA-Z]{1,8}$/))
  const texts = fc.array(piece, { maxLength: 15 }).map((some) => some.join(''))
  const property = fc.asyncProperty(fc.array(texts, { minLength: 50, maxLength: 100 }), async (some) => { await compare(db, some) })
  await fc.assert(property, runs(100))
})

t.test('words that were added the longest ago make room, and no text is put together without them', (t) => {
  const wordStems = createWordStems()
  wordStems.add(['first', 'the'], ['first', null])
  t.same(wordStems.stemsOf(['the', 'first', 'first']), ['first'])
  t.same(wordStems.unknown(['first', 'second', 'second']), ['second'])
  t.same(wordStems.stemsOf(['v2', 'the', 'and/or', '-5']), ['v2', 'and/or', '-5'])
  const many = Array.from({ length: 20_000 }, (_, n) => n.toString(2).replaceAll('0', 'x').replaceAll('1', 'y'))
  wordStems.add(many, many)
  t.equal(wordStems.stemsOf(['first']), undefined)
  t.same(wordStems.unknown(['first', 'x', 'v2']), ['first'])
  t.end()
})
