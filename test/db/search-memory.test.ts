// The embedded server's search from memory: it finds what the statements find, whatever has changed, mostly without a statement.
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Database } from '../../src/db/database.js'
import { createMemorySearch, type MemoryQuestion } from '../../src/db/search-memory/memory-search.js'
import { holdsPhrases, parsePhrase } from '../../src/db/search-memory/phrases.js'
import { RankerLost, type Ranker, type RankerMemory, type RankReply } from '../../src/db/search-memory/ranker.js'
import { indexExploration } from '../../src/db/search-memory/indexed-exploration.js'
import type { ExplorationRow } from '../../src/db/search-memory/memory-statements.js'
import { rankOf, readTsvector } from '../../src/db/search-memory/lexeme-ranks.js'
import { sqlSearch, type FoundWords, type Meaning } from '../../src/db/sql-search.js'
import { sqlVectorStore } from '../../src/db/vector-store.js'
import { updateTsvectors } from '../../src/db/update-tsvectors.js'
import type { Page, SearchHit, SearchRequest } from '../../src/planning/store.js'
import type { Embedder } from '../../src/search/embedder.js'
import { openWordVectors } from '../../src/search/embedders/word-vectors/open-word-vectors.js'
import { createSearchEngine } from '../../src/search/search-engine.js'
import { leaseEmbedded } from '../helpers/embedded-database.js'
import { explorationLine, importLines } from '../helpers/planning-data.js'
import { gradedSet } from '../search/graded-set.js'
import { indexed } from '../search/indexed.js'
import { mistyped } from '../search/mistyped.js'

const SOME_EXPLORATION: Omit<ExplorationRow, 'document'> = {
  id: randomUUID(),
  workspace_id: randomUUID(),
  title: '',
  status: 'ready',
  tags: [],
  updated_at: '',
  artifact_types: [],
  has_plan: false,
  lower_title: '',
  reference: null,
  vectors: []
}

const SCALE = { unrelated: 0.25, related: 0.8 }

type Question = SearchRequest & { meaning?: Meaning | undefined }

const embedded = async (t: Test): Promise<Database> => {
  const db = await leaseEmbedded('migrated')
  t.teardown(() => db.close())
  return db
}

/** A database that counts its statements. */
const counting = (db: Database): { db: Database, statements: string[] } => {
  const statements: string[] = []
  const query: Database['query'] = (text, values, options) => {
    statements.push(text)
    return db.query(text, values, options)
  }
  return { statements, db: { ...db, query } }
}

/** The search as the server has it: from memory, or by the statements. Rows have what the ranker said of them. */
const searching = (db: Database, ranker: Ranker) => {
  let reply: RankReply | undefined
  const recorded: Ranker = {
    async begin () {
      const memory = await ranker.begin()
      const rank: RankerMemory['rank'] = async (...request) => (reply = await memory.rank(...request))
      return { ...memory, rank }
    }
  }
  const sql = sqlSearch(db)
  const memory = createMemorySearch(db, sql, recorded)
  const asFoundWords = ({ items, ...page }: Page<SearchHit>): Page<FoundWords> => {
    if (reply?.undecided !== false) throw new Error('nothing was ranked')
    const { weights, hits } = reply
    const words = weights.length === 0 ? null : Object.fromEntries(weights)
    const rows = items.map(({ snippet, ...hit }): FoundWords =>
      ({ ...hit, coverage: hits.find(({ summary: { id } }) => id === hit.id)!.coverage, words, snippet }))
    return { items: rows, ...page }
  }
  return {
    load: memory.load,
    /** For questions one after the other. */
    async find (question: Question): Promise<Page<FoundWords>> {
      const found = await memory.find(question)
      return found ? asFoundWords(found) : await sql.find(question)
    },
    fromMemory: memory.find
  }
}

/** Logarithms of two programs may differ in the last bit; scores may not, in any of their six digits. */
const exactly = ({ items, ...page }: Page<FoundWords>): object => ({
  ...page,
  items: items.map(({ coverage, words, snippet: _snippet, ...hit }) => ({
    ...hit,
    coverage: coverage.toPrecision(12),
    words: words && Object.entries(words).map(([word, weight]) => [word, weight.toPrecision(12)])
  }))
})

const asker = async (db: Database, embedder: Embedder): Promise<(query: string) => Promise<Meaning | undefined>> => {
  const [row] = await sqlVectorStore(db).embedders()
  return async (query) => {
    const [vector] = await embedder.embed([{ parts: [{ text: query, weight: 1 }] }], { kind: 'query' })
    // What says nothing is searched by words alone.
    if (!vector!.some((value) => value !== 0)) return undefined
    return { embedder: row!.id, dimensions: row!.dimensions, vector: vector!, ...SCALE }
  }
}

/** Questions with quoted phrases of these texts: as they are, within others, in another order, with words that only the database reads. */
const quotations = (texts: readonly string[]): string[] => {
  const [first = '', second = '', third = '', fourth = ''] = texts.filter((text) => text.split(' ').length > 2)
  return [
    `"${first}"`, `what about "${second.split(' ').slice(0, 2).join(' ')}" and more`, `"${third.split(' ').reverse().join(' ')}"`,
    `“${fourth.split(' ').slice(1).join(' ')}” or "${first.split(' ')[0]}"`, '"of the"', '"the customer of" a "the"', '"a/b-c.d" x', '"in-house state of the art"'
  ]
}

/** A ranker that loses what it holds when it is told to. */
const losing = (inner: Ranker): Ranker & { lost: boolean } => {
  const ranker = {
    lost: false,
    async begin () {
      const memory = await inner.begin()
      const rank: RankerMemory['rank'] = async (...request) => {
        if (ranker.lost) throw new RankerLost()
        return await memory.rank(...request)
      }
      return { ...memory, rank }
    }
  }
  return ranker
}

t.test('what the statements find', async (t) => {
  const graded = gradedSet()
  const db = await embedded(t)
  const { embedder } = await indexed(db, graded.lines)
  const meant = await asker(db, embedder)
  const sql = sqlSearch(db)
  const { db: counted, statements } = counting(db)
  const search = searching(counted, createSearchEngine(() => openWordVectors()))
  const workspaces = (await db.query<{ id: string }>('select id from workspaces order by id')).map(({ id }) => id)
  const explorations = await db.query<{ id: string, title: string, url: string | null, tags: string[] }>(
    'select id, title, url, tags from explorations order by id')
  const [{ id: embedderId } = { id: 0 }] = await sqlVectorStore(db).embedders()
  await search.load(embedderId)

  const questions = [
    ...graded.queries.filter((_, place) => place % 8 === 0).map(({ query }) => query),
    ...graded.queries.filter((_, place) => place % 24 === 1).map(({ query }) => mistyped(query)),
    ...graded.offTopic.slice(0, 5),
    ...explorations.slice(0, 5).flatMap(({ id, title, url }) => [id.toUpperCase(), title.toUpperCase(), `#${/(\d+)/.exec(url ?? '')?.[1] ?? '7'}`]),
    'the of and', '', '\0', '🎉', "it's \\ 'quoted' \\\\ x:y & !z", Array.from({ length: 60 }, (_, n) => `word${n}`).join(' '),
    "the customer's `refunds` v2 and/or 1.5 - [payments](x): **re-try** KEP-7 _audit_ pay_out & e.g. --dry-run", '"two words" and a phrase',
    ...quotations(explorations.map(({ title }) => title))
  ]
  const same = async (question: Question, why: string): Promise<void> => {
    const [expected, found] = [await sql.find(question), await search.find(question)]
    t.strictSame(exactly(found), exactly(expected), why)
  }
  for (const [place, query] of questions.entries()) {
    const visible = place % 3 === 0 ? workspaces : workspaces.slice(place % workspaces.length)
    const base = { query, visible, limit: 10 }
    const meaning = await meant(query)
    await same({ ...base, meaning }, `by meaning: ${query}`)
    await same(base, `by words: ${query}`)
    const unembedded: MemoryQuestion = { ...base, meaning: { embedder: embedderId, dimensions: 384, ...SCALE } }
    t.strictSame(await search.fromMemory(unembedded), await search.fromMemory({ ...base, meaning }), `embedded by the ranker: ${query}`)
    if (place % 5 === 0) await same({ ...base, status: ['ready'], meaning: await meant(query) }, `with a status: ${query}`)
    const tag = explorations[place]?.tags[0]
    if (tag !== undefined) await same({ ...base, tag, meaning: await meant(query) }, `with a tag: ${query}`)
  }

  statements.length = 0
  for (const query of quotations(explorations.map(({ title }) => title))) await search.find({ query, visible: workspaces, limit: 10 })
  t.notOk(statements.some((text) => text.includes('ts_rank')), 'phrases are found in memory')

  const query = 'payments of customers'
  let cursor: string | undefined
  let pages = 0
  do {
    const question: Question = { query, visible: workspaces, limit: 3, cursor, meaning: await meant(query) }
    await same(question, 'page by page')
    cursor = (await search.find(question)).next_cursor
  } while (cursor !== undefined && ++pages < 4)
  t.ok(pages > 1)
  await t.rejects(search.find({ query, visible: workspaces, limit: 3, cursor: 'x' }), /cursor/)

  statements.length = 0
  const question = { query: graded.queries[0]!.query, visible: workspaces, limit: 10, meaning: await meant(graded.queries[0]!.query) }
  const { items } = await search.find(question)
  t.equal(statements.length, 0, 'no statement finds what is in memory with its texts, and has not changed')
  t.ok(items.every(({ snippet }) => snippet !== undefined && snippet !== ''))
  statements.length = 0
  const findAll = async (ends: string[]) =>
    Promise.all(ends.map((end) => search.fromMemory({ ...question, query: `${question.query} ${end}` })))
  await findAll(Array.from({ length: 20 }, (_, n) => `v${n} \`${n}.5\` - and/or`))
  t.equal(statements.length, 0, 'numbers and marks need no statement')
  await findAll(Array.from({ length: 20 }, (_, n) => `naïve ${n}`))
  t.equal(statements.filter((text) => text.includes('search_revisions')).length, 1, 'questions of a moment share it')
  t.same((await search.find({ ...question, visible: [] })).items, [])
  t.same((await search.find({ ...question, visible: [randomUUID()] })).items, [])
})

t.test('nothing that changed meanwhile', async (t) => {
  const db = await embedded(t)
  const workspace = randomUUID()
  const lines = ['Refunds', 'Cards', 'Invoices', 'Receipts'].map((title) =>
    explorationLine(workspace, title, `All about the ${title.toLowerCase()} of a customer.`, { tags: ['money'] }))
  const at = '2026-01-01T00:00:00.000Z'
  const { embedder } = await indexed(db, [{ type: 'workspace', id: workspace, slug: 'w', name: 'W', created_at: at }, ...lines] as never)
  const meant = await asker(db, embedder)
  const sql = sqlSearch(db)
  const { db: counted, statements } = counting(db)
  const ranker = losing(createSearchEngine(() => openWordVectors()))
  const search = searching(counted, ranker)
  await search.load((await sqlVectorStore(db).embedders())[0]?.id)
  const [first, second, third] = lines.map(({ id }) => id)
  const question = async (query: string): Promise<Question> => ({ query, visible: [workspace], limit: 10, meaning: await meant(query) })

  const changes: Array<[string, () => Promise<unknown>]> = [
    ['nothing', async () => {}],
    ['a title', () => db.query("update explorations set title = 'Credit notes' where id = $1", [first])],
    ['a status', () => db.query("update explorations set status = 'archived' where id = $1", [second])],
    ['a package', () => importLines(db, [{
      type: 'requirement_package', exploration_id: first, artifact_type: 'design', title: 'Credit', markdown: 'A credit note.', version: 1, updated_at: at
    }])],
    ['words', () => updateTsvectors(db)],
    ['a vector', () => db.query('update exploration_vectors set embedding = (select embedding from exploration_vectors where exploration_id = $2 limit 1) ' +
      'where exploration_id = $1', [first, second])],
    ['a workspace', () => db.query("update workspaces set name = 'Another' where id = $1", [workspace])],
    ['many workspaces', () => db.query("update workspaces set slug = slug || '-2', name = 'Others'")],
    ['an exploration that is gone', () => db.query('delete from explorations where id = $1', [third])],
    ['a new exploration', () => importLines(db, [explorationLine(workspace, 'Credit limits', 'How much credit a customer has.')])],
    ['many at once', () => importLines(db, Array.from({ length: 40 }, (_, n) => explorationLine(workspace, `Credit line ${n}`, 'Money')))],
    ['changes in one transaction', () => db.transaction(async (tx) => {
      await tx.query("update explorations set title = 'Debts' where id = $1", [first])
      await tx.query("update explorations set title = 'Credit and debts' where id = $1", [first])
    })],
    ['a change that is taken back', () => db.transaction(async (tx) => {
      await tx.query("update explorations set title = 'Never' where id = $1", [first])
      throw new Error('taken back')
    }).catch(() => {})]
  ]
  for (const [name, change] of changes) {
    await change()
    for (const query of ['credit notes of a customer', 'refunds', 'cards', 'invoices']) {
      t.strictSame(exactly(await search.find(await question(query))), exactly(await sql.find(await question(query))), `after ${name}: ${query}`)
    }
    // Once from texts that are read now, once from those that are remembered.
    for (const asked of [await question('credit customer'), await question('credit customer')]) {
      const { items } = await search.find(asked)
      const texts = await sql.texts(items.map(({ id }) => id))
      for (const { id, title, snippet } of items) t.ok(`${title} ${texts.get(id)}`.includes(snippet ?? ''), `a snippet after ${name}: ${snippet}`)
    }
  }
  await search.find(await question('credit'))
  statements.length = 0
  await search.find(await question('credit'))
  t.equal(statements.length, 0, 'all of it was in memory')

  // Whether the database is asked: for words that it alone can read, and after each commit that changed something.
  const asks = async (query: string): Promise<number> => {
    const asked = await question(query)
    statements.length = 0
    await search.find(asked)
    return statements.length
  }
  const seen: Array<[string, () => Promise<unknown>, number]> = [
    ['what is not in memory', () => db.query("insert into users (id, email, name, kind) values (gen_random_uuid(), 'someone@example.com', 'Someone', 'person')"), 0],
    ['a change of nothing', () => db.query('delete from explorations where id = $1', [randomUUID()]), 0],
    ['a change that is taken back', () => db.transaction(async (tx) => {
      await tx.query("update explorations set title = 'Never' where id = $1", [first])
      throw new Error('taken back')
    }).catch(() => {}), 0],
    ['a change', () => db.query("update explorations set title = 'Credits' where id = $1", [first]), 1],
    ['a name', () => db.query("update workspaces set name = 'Third'"), 1]
  ]
  for (const [name, change, expected] of seen) {
    await change()
    t.equal(await asks('credit') > 0 ? 1 : 0, expected, `after ${name}`)
    t.equal(await asks('credit'), 0, `and then no more, after ${name}`)
  }
  t.equal(await asks('how much of a customer'), 0, 'words of titles and summaries are known')
  const asksForStems = async (query: string): Promise<boolean> => {
    await asks(query)
    return statements.some((text) => text.includes('ts_lexize'))
  }
  t.ok(await asksForStems('unheard-of things'), 'other words are asked for')
  t.notOk(await asksForStems('things unheard-of'), 'once')
  t.equal(await asks("customer's credit"), 1, 'only the database reads this')
  t.equal(await asks("customer's credit"), 0, 'once')
  const stranger = randomUUID()
  for (const expected of [1, 0]) {
    statements.length = 0
    t.ok((await search.find({ ...await question('credit'), visible: [workspace, stranger] })).items.length > 0)
    t.equal(statements.length, expected, 'a workspace that nobody asked about')
  }
  const { onNotification: _, ...silent } = counted
  const deaf = searching(silent, createSearchEngine(() => openWordVectors()))
  await deaf.load((await sqlVectorStore(db).embedders())[0]?.id)
  for (const again of ['once', 'again']) {
    await deaf.find(await question('credit'))
    statements.length = 0
    await deaf.find(await question('credit'))
    t.ok(statements.length > 0, `a database that tells of nothing is asked each time, ${again}`)
  }
  await search.load((await sqlVectorStore(db).embedders())[0]?.id)

  // A ranker that lost what it held, as a thread that ended by itself: the statements answer, and it is loaded again.
  ranker.lost = true
  const lost = await question('refunds and credit')
  t.strictSame(exactly(await search.find(lost)), exactly(await sql.find(lost)), 'by the statements')
  ranker.lost = false
  await search.load((await sqlVectorStore(db).embedders())[0]?.id)
  t.strictSame(exactly(await search.find(lost)), exactly(await sql.find(lost)), 'from memory again')
  statements.length = 0
  await search.find(lost)
  t.equal(statements.length, 0, 'which is loaded')

  // More than are counted one by one: the statements answer.
  await db.query(`insert into explorations (id, workspace_id, title, status, tags, summaries, questions, created_at, updated_at)
    select gen_random_uuid(), $1, 'Bulk', 'ready', '[]', '[]', '[]', now(), now() from generate_series(1, 1001)`, [workspace])
  const bulk = await question('credit customer')
  for (let tries = 0; tries < 12; tries++) t.strictSame(exactly(await search.find(bulk)), exactly(await sql.find(bulk)))
})

t.test('a rank is what ts_rank says', async (t) => {
  const db = await embedded(t)
  const texts = ['a card, a card and the cards of a user', "it's O'Neil's C:\\dir\\file and x/y", Array.from({ length: 300 }, (_, n) => `w${n % 7} card`).join(' ')]
  const questions = [['card'], ['card', 'user'], ['w1', 'w2', 'card', 'never']]
  for (const text of texts) {
    for (const words of questions) {
      const [row] = await db.query<{ document: string, rank: number }>(`
        select document::text, ts_rank(document, $2::tsquery, 32) as rank from (
          select setweight(to_tsvector('english', $1), 'A') || setweight(to_tsvector('english', $1), 'C') || to_tsvector('english', $1) as document) made`,
      [text, words.join(' | ')])
      const shares = new Map<string, number>()
      readTsvector(row!.document, (lexeme, share) => { shares.set(lexeme, share) })
      const found = words.toSorted().flatMap((word) => shares.get(word) ?? [])
      t.equal(rankOf(found, words.length), Math.fround(row!.rank), `${text.slice(0, 20)}: ${words.join(' ')}`)
      const lexemes = await db.query<{ lexeme: string }>('select lexeme from unnest($1::tsvector)', [row!.document])
      t.same([...shares.keys()].sort(), lexemes.map(({ lexeme }) => lexeme).sort())
    }
  }
})

t.test('a text holds a phrase when @@ says so', async (t) => {
  const db = await embedded(t)
  const texts = [
    'the state of the art in hub-and-spoke patterns', 'art of the state, spoke and hub', "it's O'Neil's C:\\dir\\file of https://example.com/a/b-c?x=1",
    Array.from({ length: 600 }, (_, n) => `w${n % 7} card`).join(' '), ''
  ]
  const phrases = [
    'state of the art', 'the state', 'art the state', 'hub-and-spoke pattern', 'spoke hub', 'hub', "O'Neil", "O'Neil's c:\\dir", 'example.com/a/b-c?x=1',
    'https://example.com/a/b-c?x=1', 'w1 card w2', 'card w6 card w0', 'w1 w2', 'never', 'state never', 'the', ''
  ]
  for (const text of texts) {
    const [row] = await db.query<{ document: string }>("select to_tsvector('english', $1)::text as document", [text])
    const numbers = new Map<string, number>()
    const exploration = indexExploration({ ...SOME_EXPLORATION, document: row!.document }, (lexeme) => {
      numbers.set(lexeme, numbers.get(lexeme) ?? numbers.size)
      return numbers.get(lexeme)!
    })
    for (const phrase of phrases) {
      const [asked] = await db.query<{ query: string, holds: boolean }>(
        "select query::text, numnode(query) > 0 and $2::tsvector @@ query as holds from phraseto_tsquery('english', $1) query", [phrase, row!.document])
      const parsed = parsePhrase(asked!.query)
      t.equal(parsed && holdsPhrases([parsed], (lexeme) => numbers.get(lexeme))(exploration), asked!.holds, `${text.slice(0, 20)}: ${phrase}`)
    }
  }
  t.equal(parsePhrase("'a' & 'b'"), undefined, 'no other query is read')
  t.equal(parsePhrase("'a' <-> ( 'b' | 'c' )"), undefined)
})
