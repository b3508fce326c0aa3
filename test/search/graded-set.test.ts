// The graded set is what it says: queries of three classes whose words are, or are not, those of what they ask for.
import t from 'tap'
import { database } from '../helpers/database.js'
import { CLASSES, explorationsOf, gradedSet, HALVES, slugOf, textOf } from './graded-set.js'
import { lemmas } from '../../src/search/embedders/word-vectors/lemmatize.js'

const { lines, queries, offTopic } = gradedSet()
const explorations = new Map(explorationsOf(lines).map((one) => [slugOf(one), one]))

/** Whether one word is a form of the other, which the database's stemmer does not see in paid and pay. */
const related = (one: string, other: string): boolean => lemmas(one).includes(other) || lemmas(other).includes(one)

t.test('each query asks for one exploration, and grades others that exist; both halves have as much of each class', async (t) => {
  t.same(queries.filter(({ grades }) => Object.values(grades).filter((grade) => grade === 3).length !== 1), [])
  t.same(queries.flatMap(({ grades }) => Object.keys(grades)).filter((slug) => !explorations.has(slug)), [])
  t.equal(new Set(queries.map(({ query }) => query)).size, queries.length, 'no query twice')
  t.ok(explorations.size >= 170)
  t.ok(offTopic.length >= 15)
  for (const name of CLASSES) {
    const [tune, report] = HALVES.map((half) => queries.filter((query) => query.class === name && query.half === half).length)
    t.ok(tune! >= 40 && Math.abs(tune! - report!) <= 1, `${name}: ${tune} and ${report}`)
  }
})

t.test('a keyword query has words of what it asks for, a paraphrase none in any form', async (t) => {
  const db = await database(t)
  const asked = queries.filter(({ class: name }) => name !== 'intent').map(({ class: name, query, grades }) => {
    const slug = Object.keys(grades).find((one) => grades[one] === 3)!
    return { name, query, text: textOf(explorations.get(slug)!, lines) }
  })
  const wordsOf = async (texts: readonly string[]) => {
    const rows = await db.query<{ text: number, token: string, stem: string }>(`
      select distinct n::int as text, lower(token) as token, lexemes[1] as stem
      from unnest($1::text[]) with ordinality as t (text, n), ts_debug('english', text) where cardinality(lexemes) > 0`, [texts])
    return texts.map((_, index) => rows.filter(({ text }) => text === index + 1))
  }
  const [words, theirs] = [await wordsOf(asked.map(({ query }) => query)), await wordsOf(asked.map(({ text }) => text))]
  const wrong = asked.flatMap(({ name, query }, index) => words[index]!.filter(({ token, stem }) =>
    theirs[index]!.some((word) => word.stem === stem || (name === 'paraphrase' && related(word.token, token))) !== (name === 'keyword')
  ).map(({ token }) => `${query}: ${token}`))
  t.same(wrong, [])
})
