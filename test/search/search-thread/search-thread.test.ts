// The thread of search: it answers as its engine does here, is bounded in time, and comes back after it ended.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { EmbeddingText } from '../../../src/search/embedder.js'
import { engineEmbedder } from '../../../src/search/embedders/word-vectors/engine-embedder.js'
import { openWordVectors } from '../../../src/search/embedders/word-vectors/open-word-vectors.js'
import { createSearchEngine } from '../../../src/search/search-engine.js'
import { createSearchThread, type SearchThreadOptions } from '../../../src/search/search-thread/search-thread.js'
import { threadEngine } from '../../../src/search/search-thread/thread-engine.js'

const started = (t: Test, options: SearchThreadOptions = {}) => {
  const thread = createSearchThread(options)
  t.teardown(() => thread.close())
  return { thread, engine: threadEngine(thread) }
}

/** A thread that runs `onCall` with the function `answer(value)`, the call and the messages so far. */
const moduleOf = (onCall: string): URL => new URL(`data:text/javascript,${encodeURIComponent(`
  import { parentPort, workerData } from 'node:worker_threads'
  import { existsSync, writeFileSync } from 'node:fs'
  const messages = []
  parentPort.on('message', (message) => {
    messages.push(message)
    const answer = (value) => parentPort.postMessage({ id: message.id, value })
    ${onCall}
  })`)}`)

const text = (words: string): EmbeddingText => ({ parts: [{ text: words, weight: 1 }] })
const TEXTS = [text('Refunds of annual plans. '.repeat(3000)), text(''), text('A queue of deliveries')]
const DOCUMENT = { kind: 'document' } as const

t.test('what the engine answers here, the thread answers', async (t) => {
  const { engine } = started(t)
  const here = createSearchEngine(() => openWordVectors())
  const [vectors, others] = await Promise.all([engine.embed(TEXTS, DOCUMENT), engine.embed(TEXTS.toReversed(), { kind: 'query' })])
  t.strictSame(vectors, await here.embed(TEXTS, DOCUMENT))
  t.strictSame(others, await here.embed(TEXTS.toReversed(), { kind: 'query' }), 'each gets its own answer')
  const question = {
    query: 'money back', byMeaning: true, words: { refund: 1 }, texts: new Map([['a', 'It is late. A refund comes.'], ['b', 'The queue. The customer is paid back.'], ['c', '']])
  }
  const snippets = await engine.explain(question)
  t.strictSame(snippets, await here.explain(question))
  t.strictSame([...snippets.keys()], ['a', 'b'], 'a text without a sentence has no snippet')
  t.match(await engineEmbedder(engine, undefined), { id: 'builtin', version: (await openWordVectors()).version, dimensions: 384 })
})

t.test('it has a lower priority than the other threads of the process', { skip: process.platform !== 'linux' }, async (t) => {
  const { engine } = started(t)
  const own = getPriority()
  // The fields after the name, which is in parentheses: the seventeenth is the niceness.
  const priorities = () => readdirSync('/proc/self/task').map((thread) =>
    Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ')[16]))
  const lower = () => priorities().filter((priority) => priority === Math.min(19, own + 5)).length
  const before = lower()
  await engine.embed([], DOCUMENT)
  t.equal(getPriority(), own)
  t.equal(lower(), before + 1)
})

t.test('who does not wait any more is answered at once, and the others are answered', async (t) => {
  const { engine } = started(t)
  const leaving = new AbortController()
  const [left, stayed] = [engine.embed(TEXTS, { ...DOCUMENT, signal: leaving.signal }), engine.embed(TEXTS, DOCUMENT)]
  leaving.abort(new Error('enough'))
  await t.rejects(left, { message: 'enough' })
  t.equal((await stayed).length, TEXTS.length)
  await t.rejects(engine.embed(TEXTS, { ...DOCUMENT, signal: AbortSignal.abort(new Error('never')) }), { message: 'never' })
})

t.test('a cancelled call is cancelled in the thread', async (t) => {
  // It answers the first call with what it was told.
  const { thread } = started(t, {
    module: moduleOf('if (messages.length === 3) parentPort.postMessage({ id: messages[1].id, value: messages })')
  })
  const leaving = new AbortController()
  const left = thread.call('embed', { texts: [], kind: 'query' }, { signal: leaving.signal })
  const other = thread.call('embed', { texts: [], kind: 'query' })
  leaving.abort(new Error('enough'))
  await t.rejects(left, { message: 'enough' })
  t.match(await other, [{ id: 1 }, { id: 2 }, { cancel: 1 }])
})

t.test('a thread that ended is started again; what it held is lost', async (t) => {
  const marker = join(t.testdir(), 'died')
  const { thread, engine } = started(t, {
    module: moduleOf(`
      const marker = ${JSON.stringify(marker)}
      if (message.name === 'begin') answer(1)
      else if (message.name === 'rank' || !existsSync(marker)) { writeFileSync(marker, ''); process.exit(3) }
      else answer([])`)
  })
  t.same(await engine.embed(TEXTS, DOCUMENT), [], 'asked again')
  t.ok(existsSync(marker))
  t.equal(thread.generation, 2)
  const memory = await engine.begin()
  const question = {
    query: '', byMeaning: false, visible: [], statuses: null, stems: [], phrases: [], title: undefined, after: undefined, id: undefined, reference: undefined, alike: [], meaning: undefined, limit: 1
  }
  await t.rejects(memory.rank(question), { name: 'RankerLost' })
  await t.rejects(memory.rank(question), { name: 'RankerLost' }, 'in the next thread too')
  t.equal(thread.generation, 2, 'for which none is started')
})

t.test('a thread that always ends says so', async (t) => {
  const { engine } = started(t, { module: moduleOf("throw new Error('no memory')") })
  await t.rejects(engine.embed(TEXTS, DOCUMENT), { name: 'SearchThreadEnded', message: 'The thread of search ended by itself (no memory).' })
  const embedder = await engineEmbedder(engine, undefined)
  await t.rejects(embedder.embed(TEXTS, DOCUMENT), { name: 'EmbedderUnavailable', message: 'The thread of search ended by itself', kind: 'transient' })
})

t.test('a call that does not end ends the thread', async (t) => {
  const { thread, engine } = started(t, { module: moduleOf('for (;;);'), callTimeoutMs: 20 })
  await t.rejects(engine.embed(TEXTS, DOCUMENT), { name: 'SearchThreadEnded', message: /a call took more than 20 ms/ })
  t.equal(thread.generation, 2)
})

t.test('an error of the engine is that of the call alone', async (t) => {
  const { thread, engine } = started(t, { thesaurusFile: '/nowhere/words.txt' })
  await t.rejects(engine.embed(TEXTS, DOCUMENT), { name: 'Refusal', message: /THESAURUS_FILE cannot be read/ })
  const { size } = await engine.explain({ query: '', byMeaning: false, words: {}, texts: new Map([['a', 'Words do.']]) })
  t.equal(size, 1)
  t.equal(thread.generation, 1)
})

t.test('a thread that nobody calls ends', async (t) => {
  const { thread, engine } = started(t, { module: moduleOf('answer(messages.length)'), idleMs: 1 })
  // Each call may find the thread of the one before or a new one; some time it is a new one.
  while (thread.generation < 3) {
    await engine.begin()
    await new Promise((resolve) => { setTimeout(resolve, 5) })
  }
  t.ok(thread.generation >= 3)
})

t.test('a thread that only embedded documents ends soon; one that somebody searched with waits for the next question', async (t) => {
  const { thread, engine } = started(t, { module: moduleOf('answer([])'), idleMs: 600_000, indexingIdleMs: 1 })
  const indexAndPause = async () => {
    await engine.embed(TEXTS, DOCUMENT)
    await new Promise((resolve) => { setTimeout(resolve, 5) })
  }
  while (thread.generation < 3) await indexAndPause()
  await engine.embed(TEXTS, { kind: 'query' })
  const searched = thread.generation
  for (let n = 0; n < 5; n++) await indexAndPause()
  t.equal(thread.generation, searched)
})

t.test('a closed thread answers nothing', async (t) => {
  const { thread, engine } = started(t, { module: moduleOf('') })
  const asked = engine.embed([], { kind: 'query' })
  await Promise.all([t.rejects(asked, { name: 'SearchThreadEnded' }), thread.close()])
  await t.rejects(engine.begin(), { name: 'SearchThreadEnded', message: /closing/ })
})
