// What search promises: names first, then covered words; nothing instead of nonsense; and no text that breaks it.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { keywordSearch } from '../../helpers/find-by-words.js'
import { sqlSearch } from '../../../src/search/ranking/sql-search.js'
import { updateTsvectors } from '../../../src/search/ranking/update-tsvectors.js'
import { sqlStore } from '../../../src/db/planning/sql-store.js'
import { database } from '../../helpers/database.js'
import { call, numbered, use } from '../../helpers/planning.js'
import { explorationLine, importLines } from '../../helpers/planning-data.js'

const at = '2026-01-01T00:00:00.000Z'
const [mine, other] = [randomUUID(), randomUUID()]
const exploration = (title: string, text: string, more?: object) => explorationLine(mine, title, text, more)

const resize = exploration('In-place update of pod resources', 'Change resources without a restart. Pods keep their node.',
  { url: 'https://kep.example/node/1287-in-place-update' })
const mentions = exploration('Autoscaling', 'Builds on 1287 and on pods. A vertical autoscaler resizes them.')
const refunds = exploration('Refunds', 'Customers wait for long. Money goes back to the card on the same day. Support is told.')
const card = exploration('Same card', 'The card is back in the same day book. A money trail for it.')
const long = exploration('Long read', `${'A plain sentence about nothing in particular. '.repeat(4300)}`)
const identifier = exploration('Admission', 'Replaces PodSecurityPolicy by the flag --enable-admission-plugins and parse_pod_spec.')
const foreign = exploration('Foreign refunds', 'Money goes back to the card.', {
  workspace_id: other, url: 'https://kep.example/x/1287-foreign'
})
const LINES = [
  ...[mine, other].map((id, index) => ({
    type: 'workspace',
    id,
    slug: `w${index}`,
    name: `W ${index}`,
    created_at: at
  })),
  resize, mentions, refunds, card, long, identifier, foreign
]

t.test('search', async (t) => {
  const db = await database(t)
  await importLines(db, LINES)
  const store = sqlStore(db, keywordSearch(sqlSearch(db)))
  const find = async (query: string) => (await store.search.find({ query, visible: [mine], limit: 10 })).items
  const titles = async (query: string) => (await find(query)).map(({ title }) => title)

  await t.test('what is named comes first, however it is named', async (t) => {
    for (const query of ['KEP-1287', 'kep 1287', '1287', '#1287', ' Kep-01287 ', resize.title.toUpperCase(), resize.id, ` ${resize.id.toUpperCase()} `]) {
      const [first, ...rest] = await find(query)
      t.equal(first?.id, resize.id, query)
      t.ok(first!.score >= 0.99, `${query}: ${first!.score}`)
      t.ok(rest.every(({ score }) => score < 0.99), query)
    }
    t.equal((await titles('PodSecurityPolicy'))[0], identifier.title)
    t.equal((await titles('parse_pod_spec'))[0], identifier.title)
    t.equal((await titles('autoscalling'))[0], mentions.title, 'a typo')
  })

  await t.test('of a very long question the first words are looked for, and what they find is found', async (t) => {
    const nonsense = Array.from({ length: 100 }, (_, n) => `zq${String.fromCharCode(97 + n % 26, 97 + Math.floor(n / 26))}x`)
    const { items } = await sqlSearch(db).find({ query: ['podsecuritypolicy', ...nonsense].join(' '), visible: [mine], limit: 10 })
    t.same(items, [], 'little of the question stands in any text')
    const [long] = (await sqlSearch(db).find({ query: `"money goes back" ${nonsense.join(' ')}`, visible: [mine], limit: 10 })).items
    t.equal(long?.title, refunds.title)
    t.equal(Object.keys(long?.words ?? {}).length, 48)
    t.ok('money' in (long?.words ?? {}))
  })

  await t.test('a quoted phrase stands before the same words apart', async (t) => {
    t.equal((await titles('"money goes back" same card'))[0], refunds.title)
    t.equal((await titles('“same day book” money'))[0], card.title)
  })

  await t.test('the snippet is the sentence that made it match', async (t) => {
    t.equal((await find('money card goes'))[0]?.snippet, 'Money goes back to the card on the same day.')
    t.equal((await find('vertical resizing'))[0]?.snippet, 'A vertical autoscaler resizes them.')
  })

  await t.test('one common word of many is no fit', async (t) => {
    t.same(await titles('how do glaciers shape a card of limestone valleys during interglacial periods and volcanic winters'), [])
    t.same(await titles('xylophone'), [])
    t.same(await titles('in of the'), [], 'stop words, though they are like a title')
  })

  await t.test('what has a rare status is not lost among the others', async (t) => {
    const crowd = Array.from({ length: 150 }, (_, n) =>
      exploration(`Lighthouse ${n}`, 'A lighthouse.', {
        id: numbered(n), workspace_id: other, status: n === 149 ? 'archived' : 'ready'
      }))
    await importLines(db, crowd)
    const { items } = await store.search.find({
      query: 'lighthouse', visible: [other], status: ['archived'], limit: 10
    })
    t.match(items, [{ title: 'Lighthouse 149' }])
  })

  await t.test('no one sees what is not theirs', async (t) => {
    for (const query of ['foreign', foreign.id, foreign.title, '1287', 'money card']) t.notOk((await titles(query)).includes(foreign.title), query)
  })

  await t.test('no input breaks find_explorations', async (t) => {
    const inputs = {
      emoji: '🧭'.repeat(150),
      'stop words': 'the of and to be or not',
      blank: ' ',
      quotes: '"" "the" “”',
      sql: "'; drop table explorations; --",
      tsquery: "money & !card <-> 'back':* | (",
      backslashes: 'http://a.b/c\\d \\\' \\\\ file\\x',
      'like pattern': '%_%',
      'right to left': 'استرداد الأموال ‮ החזר כספי',
      'half a pair': '\ud83d',
      nul: 'money\0card',
      number: '9'.repeat(300),
      long: 'nothing '.repeat(37)
    }
    for (const [name, query] of Object.entries(inputs)) {
      const { data } = await use<{ explorations: unknown[] }>('find_explorations', { query }, call(store, [mine]))
      t.ok(Array.isArray(data.explorations), name)
    }
    t.equal((await titles('plain sentence particular'))[0], long.title, '30,000 words are found')
    t.equal((await db.query('select from explorations')).length, 157)
  })
})

t.test('among many explorations, also words that many of them hold are looked for', async (t) => {
  const db = await database(t)
  const workspaces = Array.from({ length: 9 }, () => randomUUID())
  await importLines(db, workspaces.map((id, n) => ({ type: 'workspace', id, slug: `m${n}`, name: `M ${n}`, created_at: at })))
  await db.query(`
    insert into explorations (id, workspace_id, title, status, tags, summaries, questions, created_at, updated_at)
    select gen_random_uuid(), ($1::uuid[])[n % 9 + 1], 'Harbour ' || n, case when n % 4 = 0 then 'ready' else 'draft' end, '[]',
      jsonb_build_array(jsonb_build_object('kind', 'summary', 'text', concat_ws(' ',
        case when n % 2 = 0 then 'Ships wait for pilots.' else 'Ships pass.' end, case when n % 3 = 0 then 'Cranes unload.' end,
        case when n = 1000 then 'A quarantine of pilots.' end))), '[]', now(), now()
    from generate_series(1, 1300) n`, [workspaces])
  await updateTsvectors(db)
  t.ok((await db.query("select from commonplace_words where lexeme = 'ship' and share > 0.8")).length === 1)
  t.strictSame(await db.query("select reltuples::int as rows from pg_class where oid = 'explorations'::regclass"), [{ rows: 1300 }],
    'the planner knows how many there are')
  const byWords = keywordSearch(sqlSearch(db))
  for (const visible of [workspaces, workspaces.slice(0, 8)]) {
    const found = async (query: string) => (await byWords.find({ query, visible, limit: 10 })).items
    t.match(await found('quarantine ships pilots'), [{ title: 'Harbour 1000' }], 'what but one holds decides')
    const [first] = await found('cranes pilots')
    t.match(first?.snippet, /Cranes|pilots/)
    t.equal(Number(first?.title.slice(8)) % 6, 0, 'words that many hold are looked for together')
    t.equal((await found('pilots')).length, 10)
    t.match((await found('ships'))[0], { title: /Harbour/ })
  }
  t.match((await byWords.find({ query: 'quarantine ships', visible: [workspaces[1000 % 9]!], limit: 3 })).items,
    [{ title: 'Harbour 1000' }], 'where there are few, all words are counted')

  const [toy] = await db.query<{ id: number }>("select adopt_embedder('toy', '1', 2, '{}') as id")
  await db.query(`insert into exploration_vectors (embedder, exploration_id, chunk, workspace_id, embedding)
    select $1, id, 0, workspace_id, format('[%s,%s]', cos(angle), sin(angle))::vector
    from explorations cross join lateral (select 1 + (1300 - substring(title from 9)::int) / 1e4::float8 as angle) a`, [toy!.id])
  const queryVector = { embedder: toy!.id, dimensions: 2, vector: Float32Array.of(1, 0), unrelated: 0, related: 1 }
  for (const census of [1300, 100_000]) {
    await db.query('update search_census set explorations = $1', [census])
    const { items } = await sqlSearch(db).find({ query: 'ships', visible: workspaces, limit: 50, queryVector })
    t.same(items.map(({ title }) => title), Array.from({ length: 50 }, (_, n) => `Harbour ${1300 - n}`),
      'where all hold the words, meaning decides')
  }

  await db.query('delete from explorations')
  await db.query('select take_search_census()')
  t.equal((await db.query('select from commonplace_words')).length, 0)
})

t.test('a text that is richer than an index takes is indexed as far as it goes', async (t) => {
  const db = await database(t)
  const workspace = randomUUID()
  const rich = (about: string) => Array.from({ length: 9000 }, (_, number) => `${about}${number}`).join(' ')
  const parts = ['b', 'c', 'd'].map((letter) => rich(letter.repeat(15)))
  await importLines(db, [
    { type: 'workspace', id: workspace, slug: 'w', name: 'W', created_at: '2026-01-01T00:00:00.000Z' },
    explorationLine(workspace, 'Refunds', parts.join(' ')),
    explorationLine(workspace, 'One word', `${'word '.repeat(30_000)} ${'x'.repeat(40_000)}`)
  ])
  t.match(await db.query(`select e.title, document @@ 'refund:A' as named, document @@ 'bbbbbbbbbbbbbbb7:B' as begins
    from search_documents d join explorations e on e.id = d.exploration_id order by e.title`),
  [{ title: 'One word', named: false }, { title: 'Refunds', named: true, begins: true }])
  t.same(await db.query('select from search_queue where words'), [])
})

t.test('a score says nothing of what the caller cannot see', async (t) => {
  const db = await database(t)
  const seen = Array.from({ length: 9 }, () => randomUUID())
  await importLines(db, [
    ...[...seen, other].map((id, index) => ({
      type: 'workspace',
      id,
      slug: `s${index}`,
      name: `S ${index}`,
      created_at: at
    })),
    explorationLine(seen[0]!, 'A group of keys', 'Grouping of what belongs together.'),
    explorationLine(seen[1]!, 'The xylophonic bell', 'A bell for the hall.'),
    explorationLine(other, 'Another group', 'A group of others.')
  ])
  const store = sqlStore(db, keywordSearch(sqlSearch(db)))
  const scores = async (visible: readonly string[]) =>
    (await store.search.find({ query: 'group xylophonic', visible, limit: 10 })).items.map(({ title, score }) => [title, score])
  const before = [await scores(seen), await scores(seen.slice(0, 8))]
  t.same(before[0], before[1], 'a ninth workspace without a word of it changes nothing')
  t.equal(before[0]!.length, 2)
  // As if half of 100,000 explorations of others had the word.
  await db.query("insert into commonplace_words values ('group', 0.5)")
  await db.query('update search_census set explorations = 100000')
  t.same([await scores(seen), await scores(seen.slice(0, 8))], before)
})

t.test('what is archived follows what is not and fits as well', async (t) => {
  const db = await database(t)
  const text = 'Customers pay in instalments over a year.'
  const lines = [0, 1, 2, 3].map((number) => explorationLine(mine, 'Instalments', text, {
    id: numbered(number), status: number < 2 ? 'archived' : 'ready'
  }))
  await importLines(db, [...LINES.slice(0, 1), ...lines])
  const store = sqlStore(db, keywordSearch(sqlSearch(db)))
  const find = async (query: string, more = {}) =>
    (await use<{ explorations: Array<{ id: string }> }>('find_explorations', { query, ...more }, call(store, [mine])))
      .data.explorations.map(({ id }) => id)
  const inOrder = [2, 3, 0, 1].map(numbered)
  for (const query of ['Instalments', 'customers pay over a year', '"over a year"']) t.same(await find(query), inOrder, query)
  t.same(await find('Instalments', { status: ['archived'] }), inOrder.slice(2), 'they are found where they are asked for')
})
