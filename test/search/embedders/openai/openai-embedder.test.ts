import { once } from 'node:events'
import t, { type Test } from 'tap'
import { EmbedderUnavailable, type EmbeddingText } from '../../../../src/search/embedder.js'
import { openaiEmbedder, type OpenaiOptions, type Timing } from '../../../../src/search/embedders/openai/openai-embedder.js'
import { json, service, status, vectors, vectorOf, well, type Behaviour } from '../../embedding-service.js'

const KEY = 'sk-a-key-that-nobody-may-see'
const SETTINGS = { model: 'small', key: KEY, queryPrefix: '', documentPrefix: '', window: 8000, batch: 3, queryTimeoutMs: 120_000 }
const QUICK: Timing = { documentTimeoutMs: 120_000, attempts: 3, totalMs: 120_000, pauseMs: 1, restMs: 60_000 }

const text = (...parts: string[]): EmbeddingText => ({ parts: parts.map((part) => ({ text: part, weight: 1 })) })
const documents = { kind: 'document' } as const
const queries = { kind: 'query' } as const
const unit = (numbers: number[]) => numbers.map((value) => value / Math.hypot(...numbers))
const near = (t: Test, found: Float32Array | undefined, wanted: number[]) => {
  t.equal(found?.length, wanted.length)
  wanted.forEach((value, at) => { t.ok(Math.abs((found?.[at] ?? Number.NaN) - value) < 1e-6, `${value} at ${at}`) })
}

const asking = async (
  t: Test, behaviours: Behaviour[], settings: Partial<OpenaiOptions> = {}, timing: Partial<Timing> = {}
) => {
  const { url, asked } = await service(t, ...behaviours)
  return { embedder: openaiEmbedder({ ...SETTINGS, url, ...settings }, { ...QUICK, ...timing }), asked, url }
}

/** Asks, expects to be told that the service is away, and that neither the key nor the service's words are in it. */
const away = async (t: Test, answer: Promise<unknown>): Promise<EmbedderUnavailable> => {
  const error = await answer.then(() => undefined, (reason: unknown) => reason)
  if (!(error instanceof EmbedderUnavailable)) throw new Error('not told so', { cause: error })
  t.notMatch(JSON.stringify([error.message, error.stack, error.cause, { ...error }]), KEY)
  return error
}

t.test('texts go in batches and come back in order, of length 1', async (t) => {
  const { embedder, asked } = await asking(t, [well])
  t.equal(embedder.dimensions, undefined)
  const words = ['a', 'bb', 'ccc', 'dddd']
  const found = await embedder.embed(words.map((word) => text(word)), documents)
  words.forEach((word, at) => { near(t, found[at], unit(vectorOf(word))) })
  t.same(asked.map(({ body }) => body.input), [['a', 'bb', 'ccc'], ['dddd']])
  t.match(asked[0], {
    path: '/v1/embeddings',
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: 'small', encoding_format: 'float' }
  })
  t.notOk('dimensions' in asked[0]!.body)
  t.equal(embedder.dimensions, 3)
  t.equal(embedder.id, 'openai:small')
})

t.test('parts become one text: in their order, each once, prefixed, cut to the window between code points', async (t) => {
  const { embedder, asked } = await asking(t, [well], { documentPrefix: 'passage: ', queryPrefix: 'query: ', window: 22 })
  const parts = [[' Title ', 4], ['body 😀😀😀😀😀', 1], ['Title', 2], [' ', 9]] as const
  await embedder.embed([{ parts: parts.map(([words, weight]) => ({ text: words, weight })) }], documents)
  await embedder.embed([text('how?')], queries)
  t.same(asked.map(({ body }) => body.input), [['passage: Title\n\nbody 😀😀😀😀😀'], ['query: how?']])
  const cut = await asking(t, [well], { window: 6 })
  await cut.embedder.embed([text('12345😀'), text('lone \uD83D')], documents)
  t.same(cut.asked[0]?.body.input, ['12345\uFFFD', 'lone \uFFFD'])
  const long = await asking(t, [well], { window: 100_000 })
  await long.embedder.embed(['x', 'y', 'z'].map((letter) => text(letter.repeat(90_000))), documents)
  t.same(long.asked.map(({ body }) => body.input.length), [2, 1], 'a batch is bounded in characters too')
})

t.test('a text without words is not sent and is nothing', async (t) => {
  const { embedder, asked } = await asking(t, [well], { documentPrefix: 'passage: ' })
  const found = await embedder.embed([text(''), text('word'), text(' \n')], documents)
  t.same(asked.map(({ body }) => body.input), [['passage: word']])
  t.same([found[0], found[2]], [new Float32Array(3), new Float32Array(3)])
  t.same(await embedder.embed([], documents), [])
  t.equal(asked.length, 1)
})

t.test('dimensions that are configured are asked for and insisted on', async (t) => {
  const { embedder, asked } = await asking(t, [vectors([1, 2, 3, 4]), vectors([1, 2, 3])], { dimensions: 4 })
  t.equal(embedder.dimensions, 4)
  t.same(await embedder.embed([text('')], queries), [new Float32Array(4)])
  await embedder.embed([text('a')], queries)
  t.equal(asked[0]?.body.dimensions, 4)
  t.match(await away(t, embedder.embed([text('a')], queries)), { kind: 'permanent', message: /a vector of 3 numbers instead of 4/ })
})

t.test('the version changes with whatever may change a vector, and with nothing else', async (t) => {
  const version = (settings: Partial<OpenaiOptions>) =>
    openaiEmbedder({ ...SETTINGS, url: 'http://127.0.0.1:1', ...settings }).version
  const changes: Array<Partial<OpenaiOptions>> = [
    {}, { model: 'large' }, { dimensions: 3 }, { url: 'http://127.0.0.1:2' }, { window: 9 }, { queryPrefix: 'q' }, { documentPrefix: 'q' }
  ]
  t.equal(new Set(changes.map(version)).size, changes.length)
  t.equal(version({ key: 'another', batch: 1, queryTimeoutMs: 1, url: 'http://127.0.0.1:1/v1/' }), version({}))
})

t.test('an answer that is no answer; a redirect is not followed, as the key would go elsewhere', async (t) => {
  const html: Behaviour = (reply) => { reply.setHeader('content-type', 'text/html').end(`<h1>Sign in</h1> ${KEY}`) }
  const elsewhere = await service(t, well)
  const says = (code: number, words: RegExp): [string, Behaviour, RegExp] =>
    [`${code}`, status(code, { location: `${elsewhere.url}/v1/embeddings` }, `{"error":"${KEY}"}`), words]
  const cases: Array<[string, Behaviour, RegExp]> = [
    ['HTML', html, /something else than embeddings: check EMBEDDINGS_URL/],
    ['null', (reply) => { json(reply, null) }, /something else/],
    ['no data', (reply) => { json(reply, { error: KEY }) }, /something else/],
    ['too few vectors', vectors([1]), /1 vectors to 2 texts/],
    ['too many', vectors([1], [1], [1]), /3 vectors to 2 texts/],
    ['one index twice', (reply) => { json(reply, { data: [{ index: 0, embedding: [1] }, { index: 0, embedding: [1] }] }) }, /told apart/],
    ['a foreign index', (reply) => { json(reply, { data: [{ index: 0, embedding: [1] }, { index: 2, embedding: [1] }] }) }, /told apart/],
    ['an index here and there', (reply) => { json(reply, { data: [{ index: 1, embedding: [1] }, { embedding: [1] }] }) }, /told apart/],
    ['two sizes', vectors([1, 2], [1, 2, 3]), /3 numbers instead of 2/],
    ['no numbers', vectors([1, null], [1, 2]), /not made of numbers/],
    ['text', vectors('AAAA', 'AAAA'), /not made of numbers/],
    ['an empty vector', vectors([], []), /not made of numbers/],
    ['infinity', (reply) => { reply.end('{"data":[{"index":0,"embedding":[1e999,1]},{"index":1,"embedding":[1,1]}]}') }, /no direction/],
    ['zeros', vectors([0, 0], [1, 1]), /no direction/],
    ['more numbers than can be stored', vectors(new Array(16_001).fill(1), [1]), /16001 numbers instead of 16000/],
    says(401, /answered 401: check EMBEDDINGS_KEY/), says(403, /check EMBEDDINGS_KEY/), says(404, /check EMBEDDINGS_URL and EMBEDDINGS_MODEL/),
    says(418, /answered 418$/), ...[301, 307, 308].map((code) => says(code, /not followed/))
  ]
  for (const [name, behaviour, words] of cases) {
    const { embedder, asked } = await asking(t, [behaviour])
    t.match(await away(t, embedder.embed([text('a'), text('b')], documents)), { kind: 'permanent', message: words }, name)
    t.equal(asked.length, 1, `${name}: asking again does not help`)
  }
  t.same(elsewhere.asked, [])
  for (const [code, words] of [[429, /too many requests/], [500, /answered 500/], [503, /answered 503/]] as const) {
    const { embedder, asked } = await asking(t, [status(code, {}, `{"error":"${KEY}"}`)])
    t.match(await away(t, embedder.embed([text('a')], documents)), { kind: 'transient', message: words })
    t.equal(asked.length, 3, `${code}: three tries`)
  }
  t.match(await away(t, openaiEmbedder({ ...SETTINGS, url: 'http://127.0.0.1:1/v1' }, QUICK).embed([text('a')], documents)), {
    kind: 'transient', message: 'The embedding service at http://127.0.0.1:1 cannot be reached (ECONNREFUSED)'
  })
})

t.test('an answer without end is cut off', async (t) => {
  let sent = 0
  const endless: Behaviour = (reply) => {
    const chunk = Buffer.alloc(65_536, ' ')
    const more = () => {
      sent += chunk.length
      if (sent > 100_000_000 || reply.destroyed) reply.end()
      else if (reply.write(chunk)) more()
      else reply.once('drain', more)
    }
    more()
  }
  const { embedder } = await asking(t, [endless])
  t.match(await away(t, embedder.embed([text('a')], queries)), { kind: 'permanent', message: /more than 465536 bytes/ })
  t.ok(sent < 50_000_000, 'it is not read on')
})

t.test('documents wait for a service that comes back', async (t) => {
  const hangUp: Behaviour = (reply) => { reply.destroy() }
  const halfAnAnswer: Behaviour = (reply) => {
    reply.writeHead(200, { 'content-length': '1000' }).write('{"data":[')
    reply.destroy()
  }
  for (const behaviour of [status(500), status(429, { 'retry-after': '0' }), status(503, { 'retry-after': new Date(0).toUTCString() }), hangUp, halfAnAnswer]) {
    const { embedder, asked } = await asking(t, [behaviour, behaviour, well])
    near(t, (await embedder.embed([text('a')], documents))[0], unit(vectorOf('a')))
    t.equal(asked.length, 3)
  }
})

t.test('a service that asks for a longer wait than is allowed is not waited for, and the error says how long it asked for', async (t) => {
  for (const [header, least] of [['120', 120_000], [new Date(Date.now() + 300_000).toUTCString(), 290_000]] as const) {
    const { embedder, asked } = await asking(t, [status(429, { 'retry-after': header })])
    const { retryAfterMs = 0 } = await away(t, embedder.embed([text('a')], documents))
    t.ok(retryAfterMs >= least && retryAfterMs <= 300_000, `${retryAfterMs}`)
    t.equal(asked.length, 1)
  }
  for (const header of ['99999999999999999999', new Date(Date.now() + 1e12).toUTCString()]) {
    const { embedder } = await asking(t, [status(503, { 'retry-after': header })])
    t.equal((await away(t, embedder.embed([text('a')], documents))).retryAfterMs, 3_600_000, 'an hour is the longest')
  }
  const { embedder } = await asking(t, [status(429, { 'retry-after': 'soon' })])
  t.equal((await away(t, embedder.embed([text('a')], documents))).retryAfterMs, undefined)
})

t.test('a service that is slow, at the first byte or between bytes, is given up', async (t) => {
  const silent: Behaviour = () => {}
  const stuck: Behaviour = (reply) => { reply.writeHead(200).write('{') }
  for (const behaviour of [silent, stuck]) {
    const { embedder } = await asking(t, [behaviour], { queryTimeoutMs: 90 }, { documentTimeoutMs: 100 })
    t.match(await away(t, embedder.embed([text('a')], queries)), { kind: 'transient', message: 'within 90 ms' })
    t.match(await away(t, embedder.embed([text('a')], documents)), { kind: 'transient', message: 'within 100 ms' })
  }
})

t.test('texts that are refused go in smaller batches, and shorter; one that is refused at any length keeps no other from its vector', async (t) => {
  const picky: Behaviour = (reply, asked) => {
    if (asked.body.input.length > 1) status(413)(reply, asked)
    else if (asked.body.input.includes('bad')) status(400)(reply, asked)
    else if (asked.body.input[0]!.length > 1500) status(400)(reply, asked)
    else well(reply, asked)
  }
  const { embedder } = await asking(t, [picky])
  const found = await embedder.embed([text('a'), text('b'.repeat(5000)), text('cc'), text('bad')], documents)
  near(t, found[0], unit(vectorOf('a')))
  near(t, found[1], unit([1250, 1, 0]))
  near(t, found[2], unit(vectorOf('cc')))
  t.same(found[3], new Float32Array(3))
  const wrong = await asking(t, [status(400)])
  t.match(await away(t, wrong.embedder.embed([text('a'), text('b'), text('c')], documents)), { kind: 'input', message: /check EMBEDDINGS_MODEL/ })
  t.equal(wrong.asked.length, 3, 'a service that refuses everything is wrongly configured: nothing passes for indexed')
})

t.test('queries leave a service alone that failed three times, for a while', async (t) => {
  for (const [restMs, asks] of [[60_000, 3], [0, 4]] as const) {
    const { embedder, asked } = await asking(t, [status(500), status(500), status(500), well], {}, { restMs })
    for (let time = 0; time < 3; time++) await away(t, embedder.embed([text('a')], queries))
    const next = embedder.embed([text('a')], queries)
    if (restMs > 0) t.match(await away(t, next), { kind: 'transient', message: /left alone/ })
    else near(t, (await next)[0], unit(vectorOf('a')))
    t.equal(asked.length, asks)
  }
})

t.test('queries that are refused for what they say break nothing; many at once wait as documents do', async (t) => {
  const { embedder, asked } = await asking(t, [status(400), status(400), status(400), status(400), status(500), well])
  for (let time = 0; time < 4; time++) t.match(await away(t, embedder.embed([text('a')], queries)), { kind: 'input' })
  await embedder.embed([text('a'), text('b')], queries)
  t.equal(asked.length, 6)
})

t.test('a caller who leaves ends the request, and the waiting, and is not held against the service', async (t) => {
  for (const options of [documents, queries]) {
    const leaving = new AbortController()
    let closed: Promise<unknown> | undefined
    const { embedder } = await asking(t, [(reply) => {
      closed = once(reply, 'close')
      leaving.abort(new Error('left'))
    }])
    await t.rejects(embedder.embed([text('a')], { ...options, signal: leaving.signal }), { message: 'left' })
    await closed
  }
  const waiting = new AbortController()
  const busy = await asking(t, [(reply, asked) => {
    reply.once('close', () => { setTimeout(() => { waiting.abort(new Error('left')) }, 30) })
    status(429, { 'retry-after': '3600' })(reply, asked)
  }], {}, { totalMs: 1e9 })
  await t.rejects(busy.embedder.embed([text('a')], { ...documents, signal: waiting.signal }), { message: 'left' })
  await t.rejects(busy.embedder.embed([text('a')], { ...documents, signal: AbortSignal.abort(new Error('never')) }), { message: 'never' })
  t.equal(busy.asked.length, 1)
})
