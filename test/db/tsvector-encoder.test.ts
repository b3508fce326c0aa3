// The words of texts, made beside the database, are those that to_tsvector makes.
import fc from 'fast-check'
import t from 'tap'
import type { Queryable } from '../../src/db/database.js'
import { tsvectorEncoder, type WeightedTexts } from '../../src/db/tsvector-encoder.js'
import { database } from '../helpers/database.js'
import { runs } from '../helpers/fuzzing.js'

const TEXT = `Refunds for annual plans: who's asking, and why? Customers' refunds (42 of them) wait 3.5 days -- on average;
kube-apiserver and k8s v1.29.3 don't run **side-by-side** with \`out_of_tree\` drivers [yet]. Write to ada@example.com, see
/etc/hosts and docs/readme.md & co. Größe, naïve, ÜBER, 費用 “quoted”. e.g. -5, +7, 1e5, 50%, #1287, KEP-1287, A/B, it\\'s \\o/ done...`

t.test('the words of a text and their places', async (t) => {
  const db = await database(t)
  const parts: WeightedTexts = [['A', 'Refunds of the refund'], ['B', TEXT], ['C', ''], ['D', `${TEXT}\nThe end of it.`]]
  const whole = "setweight(to_tsvector('english', $1), 'A') || setweight(to_tsvector('english', $2), 'B') || to_tsvector('english', $3)"
  const expected = async () =>
    (await db.query(`select (${whole})::text as words`, [parts[0]![1], parts[1]![1], parts[3]![1]]))[0]
  const words = tsvectorEncoder()
  for (const time of ['asked about', 'remembered']) {
    const [made] = await words(db, [parts])
    t.match(await db.query('select $1::tsvector::text as words', [made]), [await expected()], time)
  }
})

t.test('any text', async (t) => {
  const db = await database(t)
  const words = tsvectorEncoder()
  const pieces = fc.constantFrom(' ', '\n', '-', '--', '/', '.', ':', '://', '@', '&', '&amp;', '<', '>', '<!--', '-->', "'", '\\', '_', '#', '%', '~', '=', '?', '+', '^', '$',
    'x', 'refund', 'The', 'a.b', 'http', 'example.com', '12', '1e', 'é', '費', '\u00A0', '\u2028', '\u{1F600}', '(', ')', '"', ',')
  const texts = fc.array(fc.oneof(pieces, fc.string({ maxLength: 5, unit: 'grapheme' })), { maxLength: 60 }).map((some) => some.join('').replaceAll('\0', ''))
  await fc.assert(fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 5 }), async (some) => {
    const made = await words(db, some.map((text) => [['D', text]]))
    for (const [place, text] of some.entries()) {
      // Alone or among others, its words are the same.
      const [alone] = await tsvectorEncoder()(db, [[['D', text]]])
      const [same] = await db.query<{
        one: string, other: string
      }>('select $1::tsvector::text as one, $2::tsvector::text as other', [made[place], alone])
      if (same!.one !== same!.other) throw new Error(`${same!.one} is not ${same!.other}`)
    }
  }), {
    ...runs(60),
    examples: [[['before <!-- within', 'after --> all', '<a href=', "'b'>c</a>", 'http://', 'x.example/?a=b']]]
  })
})

t.test('a text that is richer than an index takes is indexed as far as it goes', async (t) => {
  const db = await database(t)
  const rich = (about: string) => Array.from({ length: 25_000 }, (_, number) => `${about}${number}`).join(' ')
  const parts: WeightedTexts = [['A', 'Title'], ['B', rich('bbb')], ['C', rich('ccccccccccccccc')], ['D', rich('dddddddddddddddddddd')]]
  const [made] = await tsvectorEncoder()(db, [parts])
  t.match(await db.query('select w @@ $2 as title, w @@ $3 as about, length(w) > 40000 as rich from (select $1::tsvector as w) words', [made, 'titl:A', 'bbb24999:B']),
    [{ title: true, about: true, rich: true }])
  const [same] = await tsvectorEncoder()(db, [[['D', 'word '.repeat(100_000)]]])
  t.match(await db.query('select cardinality(positions) as places from unnest($1::tsvector)', [same]), [{ places: 255 }])
  const [long] = await tsvectorEncoder()(db, [[['D', 'x'.repeat(100_000)]]])
  t.match(await db.query('select length($1::tsvector) as words', [long]), [{ words: 1 }])
})

t.test('what the database could not be asked is asked again', async (t) => {
  const db = await database(t)
  const words = tsvectorEncoder()
  const down: Queryable = { query: async () => { throw new Error('down') } }
  await t.rejects(words(down, [[['A', 'refund']]]), /down/)
  t.match(await db.query('select $1::tsvector::text as words', await words(db, [[['A', 'refund']]])), [{ words: "'refund':1A" }])
})
