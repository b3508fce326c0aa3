import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/config/config.js'
import { openEmbedder } from '../../src/search/choose-embedder.js'
import { openEmbedderPool } from '../../src/search/embedder-pool.js'
import type { EmbedderRow } from '../../src/search/ranking/vector-store.js'
import { service, well } from './embedding-service.js'

const opened = async (env: Record<string, string>) => await openEmbedder(readConfig(env), () => ({ embed: () => Promise.reject(new Error('no engine')) }))
const one = { parts: [{ text: 'refund', weight: 1 }] }

t.test('what is built in is the default', async (t) => {
  t.match(await opened({}), { id: /^builtin/ })
})

t.test('a service, with its key from a file', async (t) => {
  const { url, asked } = await service(t, well)
  const file = join(t.testdir(), 'key')
  writeFileSync(file, 'sk-secret\n')
  const embedder = await opened({
    EMBEDDER: 'openai',
    EMBEDDINGS_URL: url,
    EMBEDDINGS_MODEL: 'small',
    EMBEDDINGS_KEY_FILE: file,
    EMBEDDINGS_DIMENSIONS: '3',
    EMBEDDINGS_QUERY_PREFIX: 'query: '
  })
  t.match(embedder, { id: 'openai:small', dimensions: 3 })
  await embedder.embed([one], { kind: 'query' })
  t.match(asked, [{
    path: '/v1/embeddings',
    headers: { authorization: 'Bearer sk-secret' },
    body: { model: 'small', dimensions: 3, input: ['query: refund'] }
  }])
})

t.test('a service without a key is shown none; one that is down does not keep the server from starting', async (t) => {
  const { url, asked } = await service(t, well)
  await (await opened({ EMBEDDER: 'openai', EMBEDDINGS_URL: `${url}/v1`, EMBEDDINGS_MODEL: 'small' })).embed([one], { kind: 'query' })
  t.notOk('authorization' in asked[0]!.headers)
  t.match(await opened({ EMBEDDER: 'openai', EMBEDDINGS_URL: 'http://127.0.0.1:1', EMBEDDINGS_MODEL: 'small' }), { dimensions: undefined })
})

t.test('what is missing is said in a sentence', async (t) => {
  const said = (env: Record<string, string>, message: string | RegExp) =>
    t.rejects(opened(env), { name: 'Refusal', message })
  await said({ EMBEDDER: 'openai', EMBEDDINGS_MODEL: 'small' }, 'EMBEDDER=openai needs EMBEDDINGS_URL, the base address of the service.')
  await said({ EMBEDDER: 'openai', EMBEDDINGS_URL: 'http://127.0.0.1:1' }, 'EMBEDDER=openai needs EMBEDDINGS_MODEL, the name of the model.')
  await said({ EMBEDDER: 'magic' }, 'EMBEDDER must be one of "builtin", "openai".')
  for (const [name, value, begins] of [['EMBEDDER', 'onnx', 'EMBEDDER=onnx'], ['ONNX_MODEL', 'models/a', 'ONNX_MODEL'], ['ONNX_POOLING', 'cls', 'ONNX_POOLING']] as const) {
    await said({ [name]: value }, new RegExp(`^${begins} was removed\\. .*/v1/embeddings.*EMBEDDER=openai`))
  }
  t.throws(() => readConfig({}, { embedder: 'onnx' }), { message: /^EMBEDDER=onnx was removed/ })
})

t.test('an address with a password in it, and a key that is no key, are refused without being shown', async (t) => {
  for (const [name, value] of [['EMBEDDINGS_URL', 'https://me:hunter2@models.example'], ['EMBEDDINGS_KEY', 'hunter2\nx'], ['EMBEDDINGS_KEY', 'hunter2 x']] as const) {
    await t.rejects(opened({ [name]: value }), { message: new RegExp(`^${name} must match the pattern (?!.*hunter2)`) })
  }
})

t.test('one that the database remembers is the one that is chosen, if its settings are the same', async (t) => {
  const env = {
    EMBEDDER: 'openai', EMBEDDINGS_URL: 'http://127.0.0.1:1', EMBEDDINGS_MODEL: 'small', EMBEDDINGS_KEY: 'sk-secret'
  }
  const embedders = openEmbedderPool(readConfig(env))
  const { embedder, settings } = await embedders.configured()
  t.notMatch(JSON.stringify(settings), 'sk-secret')
  const remembered = Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(settings))).sort())
  const reopened = (kept: unknown) => embedders.reopen({ settings: kept } as EmbedderRow)
  t.equal(await reopened(remembered), embedder)
  t.match(await reopened({ ...remembered, embeddingsModel: 'large' }), { id: 'openai:large' })
})

t.test('a key goes in clear to this machine only, unless the operator says so', async (t) => {
  const env = { EMBEDDER: 'openai', EMBEDDINGS_URL: 'http://models.example', EMBEDDINGS_MODEL: 'small', EMBEDDINGS_KEY: 'hunter2' }
  await t.rejects(opened(env), { message: /^EMBEDDINGS_URL is plain http to another machine: (?!.*hunter2).*ALLOW_HTTP=true/ })
  const changes: Array<Record<string, string>> = [
    { ALLOW_HTTP: 'true' }, { EMBEDDINGS_URL: 'http://[::1]:1' }, { EMBEDDINGS_URL: 'https://models.example' }, { EMBEDDINGS_KEY: '' }
  ]
  for (const change of changes) t.match(await opened({ ...env, ...change }), { id: /^openai/ }, JSON.stringify(change))
})
