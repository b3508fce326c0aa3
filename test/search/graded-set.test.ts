// The graded set is what it says: queries of three classes whose words are, or are not, those of what they ask for.
import t from 'tap'
import type { Queryable } from '../../src/db/sql/database.js'
import { database } from '../helpers/database.js'
import { CLASSES, explorationsOf, gradedSet, HALVES, slugOf, textOf } from './graded-set.js'
import { lemmas } from '../../src/search/embedders/word-vectors/lemmatize.js'

const { lines, queries, offTopic } = gradedSet()
const explorations = new Map(explorationsOf(lines).map((one) => [slugOf(one), one]))

/** Whether one word is a form of the other, which the database's stemmer does not see in paid and pay. */
const related = (one: string, other: string): boolean => lemmas(one).includes(other) || lemmas(other).includes(one)

interface Word { token: string, stem: string }

const wordsOf = (db: Queryable, text: string): Promise<Word[]> => db.query(
  "select distinct lower(token) as token, lexemes[1] as stem from ts_debug('english', $1) where cardinality(lexemes) > 0", [text])

t.test('each query asks for one exploration, and grades others that exist', async (t) => {
  for (const { query, grades } of queries) {
    t.equal(Object.values(grades).filter((grade) => grade === 3).length, 1, query)
    for (const slug of Object.keys(grades)) t.ok(explorations.has(slug), `${query}: ${slug}`)
  }
  t.equal(new Set(queries.map(({ query }) => query)).size, queries.length, 'no query twice')
  t.ok(explorations.size >= 170)
  t.ok(offTopic.length >= 15)
})

t.test('both halves have as much of each class', async (t) => {
  for (const name of CLASSES) {
    const [tune, report] = HALVES.map((half) => queries.filter((query) => query.class === name && query.half === half).length)
    t.ok(tune! >= 40 && Math.abs(tune! - report!) <= 1, `${name}: ${tune} and ${report}`)
  }
})

t.test('a keyword query has words of what it asks for, a paraphrase none in any form', async (t) => {
  const db = await database(t)
  const known = new Map<string, Word[]>()
  for (const { class: name, query, grades } of queries) {
    if (name === 'intent') continue
    const slug = Object.keys(grades).find((one) => grades[one] === 3)!
    if (!known.has(slug)) known.set(slug, await wordsOf(db, textOf(explorations.get(slug)!, lines)))
    const theirs = known.get(slug)!
    for (const { token, stem } of await wordsOf(db, query)) {
      const same = theirs.find((word) => word.stem === stem || (name === 'paraphrase' && related(word.token, token)))
      t.equal(same !== undefined, name === 'keyword', `${query}: ${token}${same ? ` (${same.token})` : ''}`)
    }
  }
})
