/** Search while the embedding service is slow, wrong, forbidden or gone: words answer and say so, and nothing is lost. */
import t, { type Test } from 'tap'
import { readConfig } from '../../src/config/config.js'
import { openEmbedderPool } from '../../src/search/embedder-pool.js'
import { build, modern } from '../helpers/build.js'
import { sampleDatabase } from '../helpers/database.js'
import { json, service, status, type Behaviour } from './embedding-service.js'
import { searchOn } from './indexed.js'

const KEY = 'sk-a-key-that-nobody-may-see'

interface Found { structuredContent: { explorations: Array<{ title: string }>, notice?: string }, content: Array<{ text: string }> }

const db = await sampleDatabase(t)

/** A server whose configuration names this service. */
const serving = async (t: Test, url: string) => {
  const embedders = openEmbedderPool(readConfig({ EMBEDDER: 'openai', EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: 'small', EMBEDDINGS_KEY: KEY }))
  const { index, search } = searchOn(db, embedders, embedders.engine)
  t.teardown(() => index.close())
  const { app, key } = await build(t, {}, [], db, search)
  const find = async (query: string) => {
    const { body, text } = await modern<{ result: Found }>(app, key, 'tools/call', { name: 'find_explorations', arguments: { query } })
    t.notMatch(text, KEY)
    t.notMatch(text, url)
    const { structuredContent: { explorations, notice }, content: [content] } = body.result
    if (notice !== undefined) t.match(content?.text, notice, 'the text says it too')
    return { first: explorations[0]?.title, notice }
  }
  return { index, find }
}

const INSTALMENTS = 'Pay in instalments at checkout'
const BY_WORDS = { first: INSTALMENTS, notice: /found by words alone, not by meaning/ }
const BY_MEANING = { first: INSTALMENTS, notice: undefined }

/** A model that knows one thing: what is about getting money back. */
const knowing: Behaviour = (reply, { body }) => {
  json(reply, { data: body.input.map((text, index) => ({ index, embedding: /refund|moolah/i.test(text) ? [1, 0, 0.1] : [0, 1, 0.1] })) })
}
const silent: Behaviour = () => {}
const larger: Behaviour = (reply, { body }) => { json(reply, { data: body.input.map((_, index) => ({ index, embedding: [1, 2, 3, 4] })) }) }
const html: Behaviour = (reply) => { reply.end('<html>') }

let now: Behaviour = status(401)
const { url, asked } = await service(t, (reply, one) => { now(reply, one) })

t.test('a service that refuses the key: words answer, and once it is mended meaning does, also after a restart, at once', async (t) => {
  const { index, find } = await serving(t, url)
  t.match(await index.settle(), { state: 'waiting', answering: null, reason: /answered 401: check EMBEDDINGS_KEY$/ })
  t.match(await find('refund'), BY_WORDS)
  t.match(await find('moolah'), { ...BY_WORDS, first: undefined })
  now = knowing
  await index.rebuild()
  t.match(await index.settle(), { state: 'complete', pending: 0, answering: 'openai:small' })
  t.match(await find('moolah'), BY_MEANING)
  t.match(await (await serving(t, url)).find('moolah'), BY_MEANING)
  t.equal(asked.at(-1)?.headers.authorization, `Bearer ${KEY}`)
})

t.test('a service that is silent, limits, or answers nonsense when it is asked a question', async (t) => {
  const { index, find } = await serving(t, url)
  t.match(await index.settle(), { state: 'complete' })
  for (const behaviour of [silent, larger, html]) {
    now = behaviour
    t.match(await find('refund'), BY_WORDS)
    t.match(await index.state(), { state: 'complete', questions: /^The embedding service|numbers instead of 3/ }, 'the operator is told why')
    now = knowing
    t.match(await find(`moolah ${asked.length}`), { notice: undefined }, 'the next question is asked again')
    t.notOk('questions' in await index.state())
  }
  now = status(429, { 'retry-after': '60' })
  for (let time = 0; time < 3; time++) t.match(await find('refund'), BY_WORDS)
  now = knowing
  const before = asked.length
  t.match(await find('refund'), BY_WORDS)
  t.equal(asked.length, before, 'and is left alone when it asks for it')
})

t.test('while a new service embeds, the one before it answers, and is not shown the new one\'s key', async (t) => {
  const next = await service(t, status(403))
  const { index, find } = await serving(t, next.url)
  t.match(await index.settle(), { state: 'waiting', answering: 'openai:small' })
  asked.length = 0
  t.match(await find('moolah'), BY_MEANING)
  t.equal(asked.length, 1)
  t.notOk('authorization' in asked[0]!.headers)
  const slow = await service(t, silent)
  const { index: waiting } = await serving(t, slow.url)
  for (const importing of ['one', 'the next']) {
    t.match(await waiting.settle(undefined, AbortSignal.timeout(50)), { state: 'building' }, `${importing} waits no longer than it was told`)
  }
})

t.test('a service whose vectors have another size than before gets no say', async (t) => {
  now = larger
  const { index, find } = await serving(t, url)
  await index.rebuild()
  t.match(await index.settle(), { state: 'waiting', reason: 'openai:small gives 4 numbers, and gave 3: its name should change too' })
  t.match(await find('refund'), BY_WORDS)
})
