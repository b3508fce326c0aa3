// Which embedder the configuration names, what it refuses, and that no key goes where it should not.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/config/config.js'
import { openEmbedderPool } from '../../src/search/embedder-pool.js'
import type { EmbedderRow } from '../../src/search/ranking/vector-store.js'
import { service, well } from './embedding-service.js'

const opened = async (env: Record<string, string>) => (await openEmbedderPool(readConfig(env)).configured()).embedder
const one = { parts: [{ text: 'refund', weight: 1 }] }
const OPENAI = { EMBEDDER: 'openai', EMBEDDINGS_URL: 'http://127.0.0.1:1', EMBEDDINGS_MODEL: 'small' }

t.test('what is built in is the default; a service has its key from a file, or none', async (t) => {
  t.match(await opened({}), { id: 'builtin', dimensions: 384 })
  const { url, asked } = await service(t, well)
  const file = join(t.testdir(), 'key')
  writeFileSync(file, 'sk-secret\n')
  const embedder = await opened({
    ...OPENAI, EMBEDDINGS_URL: url, EMBEDDINGS_KEY_FILE: file, EMBEDDINGS_DIMENSIONS: '3', EMBEDDINGS_QUERY_PREFIX: 'query: '
  })
  t.match(embedder, { id: 'openai:small', dimensions: 3 })
  await embedder.embed([one], { kind: 'query' })
  t.match(asked, [{
    path: '/v1/embeddings',
    headers: { authorization: 'Bearer sk-secret' },
    body: { model: 'small', dimensions: 3, input: ['query: refund'] }
  }])
  await (await opened({ ...OPENAI, EMBEDDINGS_URL: `${url}/v1` })).embed([one], { kind: 'query' })
  t.notOk('authorization' in asked[1]!.headers)
  t.match(await opened(OPENAI), { dimensions: undefined }, 'one that is down does not keep the server from starting')
})

t.test('what is missing or wrong is said in a sentence, without secrets', async (t) => {
  const { EMBEDDINGS_URL: _url, ...noUrl } = OPENAI
  const { EMBEDDINGS_MODEL: _model, ...noModel } = OPENAI
  const removed = (name: string) => new RegExp(`^${name} was removed\\. .*/v1/embeddings.*EMBEDDER=openai`)
  const cases: Array<[Record<string, string>, string | RegExp]> = [
    [noUrl, 'EMBEDDER=openai needs EMBEDDINGS_URL, the base address of the service.'],
    [noModel, 'EMBEDDER=openai needs EMBEDDINGS_MODEL, the name of the model.'],
    [{ EMBEDDER: 'magic' }, 'EMBEDDER must be one of "builtin", "openai".'],
    [{ EMBEDDER: 'onnx' }, removed('EMBEDDER=onnx')], [{ ONNX_MODEL: 'models/a' }, removed('ONNX_MODEL')], [{ ONNX_POOLING: 'cls' }, removed('ONNX_POOLING')],
    [{ EMBEDDINGS_URL: 'https://me:hunter2@models.example' }, /^EMBEDDINGS_URL must match the pattern (?!.*hunter2)/],
    [{ EMBEDDINGS_KEY: 'hunter2\nx' }, /^EMBEDDINGS_KEY must match the pattern (?!.*hunter2)/],
    [{ ...OPENAI, EMBEDDINGS_URL: 'http://models.example', EMBEDDINGS_KEY: 'hunter2' }, /^EMBEDDINGS_URL is plain http to another machine: (?!.*hunter2).*ALLOW_HTTP=true/]
  ]
  for (const [env, message] of cases) await t.rejects(opened(env), { name: 'Refusal', message }, JSON.stringify(env))
  const changes: Array<Record<string, string>> = [{ ALLOW_HTTP: 'true' }, { EMBEDDINGS_URL: 'http://[::1]:1' }, { EMBEDDINGS_URL: 'https://models.example' }, { EMBEDDINGS_KEY: '' }]
  for (const change of changes) {
    t.match(await opened({ ...OPENAI, EMBEDDINGS_URL: 'http://models.example', EMBEDDINGS_KEY: 'hunter2', ...change }), { id: /^openai/ }, JSON.stringify(change))
  }
})

t.test('one that the database remembers is the one that is chosen, if its settings are the same', async (t) => {
  const embedders = openEmbedderPool(readConfig({ ...OPENAI, EMBEDDINGS_KEY: 'sk-secret' }))
  const { embedder, settings } = await embedders.configured()
  t.notMatch(JSON.stringify(settings), 'sk-secret')
  const remembered = Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(settings))).sort())
  const reopened = (kept: unknown) => embedders.reopen({ settings: kept } as EmbedderRow)
  t.equal(await reopened(remembered), embedder)
  t.match(await reopened({ ...remembered, embeddingsModel: 'large' }), { id: 'openai:large' })
})
