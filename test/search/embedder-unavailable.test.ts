/** Search while the embedding service is slow, wrong, forbidden or gone: words answer and say so, and nothing is lost. */
import t from 'tap'
import type { Test } from 'tap'
import { readConfig } from '../../src/config/config.js'
import { createEmbedderRegistry } from '../../src/search/embedder-registry.js'
import { openEmbedderPool } from '../../src/search/embedder-pool.js'
import { createHybridSearch } from '../../src/search/hybrid-search.js'
import { createIndexer } from '../../src/search/indexer.js'
import type { Database } from '../../src/db/sql/database.js'
import { sqlVectorStore } from '../../src/search/ranking/vector-store.js'
import { updateTsvectors } from '../../src/search/ranking/update-tsvectors.js'
import { sqlSearch } from '../../src/search/ranking/sql-search.js'
import { build, modern } from '../helpers/build.js'
import { sampleDatabase } from '../helpers/database.js'
import { json, service, status } from './embedding-service.js'
import type { Behaviour } from './embedding-service.js'

const KEY = 'sk-a-key-that-nobody-may-see'

interface Found { structuredContent: { explorations: Array<{ title: string }>, notice?: string }, content: Array<{ text: string }> }

/** A model that knows one thing: what is about getting money back. */
const knowing: Behaviour = (reply, { body }) => {
  json(reply, { data: body.input.map((text, index) => ({ index, embedding: /refund|moolah/i.test(text) ? [1, 0, 0.1] : [0, 1, 0.1] })) })
}

/** A server whose configuration names this service. */
const serving = async (t: Test, db: Database, url: string, env: Record<string, string> = {}) => {
  const config = { EMBEDDER: 'openai', EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: 'small', EMBEDDINGS_KEY: KEY, ...env }
  const embedders = openEmbedderPool(readConfig(config))
  const store = sqlVectorStore(db)
  const registry = createEmbedderRegistry(store, embedders)
  const index = createIndexer({ store, writeWords: () => updateTsvectors(db), embedders, registry })
  t.teardown(() => index.close())
  const search = createHybridSearch({
    sql: sqlSearch(db), registry, engine: embedders.engine, onQuery: index.recordQuery
  })
  const { app, key } = await build(t, {}, [], db, search)
  const find = async (query: string) => {
    const { body, text } = await modern<{ result: Found }>(app, key, 'tools/call', {
      name: 'find_explorations', arguments: { query }
    })
    t.notMatch(text, KEY)
    t.notMatch(text, url)
    const { structuredContent: { explorations, notice }, content: [content] } = body.result
    if (notice !== undefined) t.match(content?.text, notice, 'the text says it too')
    return { first: explorations[0]?.title, notice }
  }
  return { index, find }
}

const BY_WORDS = /found by words alone, not by meaning/
const INSTALMENTS = 'Pay in instalments at checkout'

t.test('a service that refuses the key: words answer, and once it is mended meaning does', async (t) => {
  let mended = false
  const { url } = await service(t, (reply, asked) => (mended ? knowing : status(401))(reply, asked))
  const { index, find } = await serving(t, await sampleDatabase(t), url)
  t.match(await index.settle(), { state: 'waiting', answering: null, reason: /answered 401: check EMBEDDINGS_KEY$/ })
  t.match(await find('refund'), { first: INSTALMENTS, notice: BY_WORDS })
  t.match(await find('moolah'), { first: undefined, notice: BY_WORDS })

  mended = true
  await index.rebuild()
  t.match(await index.settle(), { state: 'complete', pending: 0, answering: 'openai:small' })
  t.match(await find('moolah'), { first: INSTALMENTS, notice: undefined })
})

t.test('a service that is silent, limits, or answers nonsense when it is asked a question', async (t) => {
  const silent: Behaviour = () => {}
  const stranger: Behaviour = (reply) => { json(reply, { data: [{ index: 0, embedding: [1, 2, 3, 4] }] }) }
  const html: Behaviour = (reply) => { reply.end('<html>') }
  let now: Behaviour = knowing
  const { url, asked } = await service(t, (reply, one) => { now(reply, one) })
  const { index, find } = await serving(t, await sampleDatabase(t), url)
  t.match(await index.settle(), { state: 'complete' })
  for (const behaviour of [silent, stranger, html]) {
    now = behaviour
    t.match(await find('refund'), { first: INSTALMENTS, notice: BY_WORDS })
    t.match(
      await index.state(),
      { state: 'complete', questions: /^The embedding service|numbers instead of 3/ },
      'the operator is told why'
    )
    now = knowing
    t.match(await find(`moolah ${asked.length}`), { notice: undefined }, 'the next question is asked again')
    t.notOk('questions' in await index.state())
  }
  now = status(429, { 'retry-after': '60' })
  for (let time = 0; time < 3; time++) t.match(await find('refund'), { notice: BY_WORDS })
  now = knowing
  const before = asked.length
  t.match(await find('refund'), { first: INSTALMENTS, notice: BY_WORDS })
  t.equal(asked.length, before, 'and is left alone when it asks for it')
})

t.test('an import waits for a slow service no longer than it was told', async (t) => {
  const { url } = await service(t, () => {})
  const { index } = await serving(t, await sampleDatabase(t), url)
  t.match(await index.settle(undefined, AbortSignal.timeout(50)), { state: 'building', answering: null })
  t.match(await index.settle(undefined, AbortSignal.timeout(50)), { state: 'building' }, 'nor for one that came before it')
})

t.test('a service whose vectors have another size than before gets no say', async (t) => {
  const db = await sampleDatabase(t)
  let size = 3
  const { url } = await service(t, (reply, { body }) => {
    json(reply, { data: body.input.map((_text, index) => ({ index, embedding: [...new Array(size - 1).fill(0), 1] })) })
  })
  t.match(await (await serving(t, db, url)).index.settle(), { state: 'complete' })
  size = 4
  const { index, find } = await serving(t, db, url)
  await index.rebuild()
  t.match(await index.settle(), {
    state: 'waiting', reason: 'openai:small gives 4 numbers, and gave 3: its name should change too'
  })
  t.match(await find('refund'), { first: INSTALMENTS, notice: BY_WORDS })
})

t.test('after a restart questions are answered at once, with the key', async (t) => {
  const db = await sampleDatabase(t)
  const { url, asked } = await service(t, knowing)
  t.match(await (await serving(t, db, url)).index.settle(), { state: 'complete' })
  const { find } = await serving(t, db, url)
  t.match(await find('moolah'), { first: INSTALMENTS, notice: undefined })
  t.equal(asked.at(-1)?.headers.authorization, `Bearer ${KEY}`)
})

t.test('while a new service embeds, the one before it answers, and is not shown the new one\'s key', async (t) => {
  const db = await sampleDatabase(t)
  const before = await service(t, knowing)
  t.match(await (await serving(t, db, before.url)).index.settle(), { state: 'complete' })
  const next = await service(t, status(403))
  const { index, find } = await serving(t, db, next.url)
  t.match(await index.settle(), { state: 'waiting', answering: 'openai:small' })
  before.asked.length = 0
  t.match(await find('moolah'), { first: INSTALMENTS, notice: undefined })
  t.equal(before.asked.length, 1)
  t.notOk('authorization' in before.asked[0]!.headers)
})
