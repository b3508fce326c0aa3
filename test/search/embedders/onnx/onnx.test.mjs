// A real model in a real library: it needs the library, which the product does not bring.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openOnnx } from '../../../../.test-build/src/search/embedders/onnx/onnx-embedder.js'
import { writeTinyModel } from '../../../../scripts/search/tiny-onnx.mjs'

const LIBRARY = import.meta.resolve('@huggingface/transformers')
const SETTINGS = { pooling: 'mean', queryPrefix: '', documentPrefix: '', window: 8000 }
const DOCUMENT = { kind: 'document' }
const QUERY = { kind: 'query' }

const text = (...parts) => ({ parts: parts.map((part) => ({ text: part, weight: 1 })) })
const cosine = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0)
const open = (settings = {}) => openOnnx({ ...SETTINGS, folder: model, ...settings }, LIBRARY)

let scratch
let model
before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'onnx-'))
  model = join(scratch, 'tiny')
  await writeTinyModel(model)
})
after(() => rm(scratch, { recursive: true }))

test('what means the same lies near, in vectors of length 1', async () => {
  const embedder = await open()
  assert.equal(embedder.id, 'onnx:tiny')
  assert.equal(embedder.dimensions, 8)
  assert.equal(embedder.window, 128, 'its 32 tokens')
  const [refund, parcel] = await embedder.embed([text('Refund the payment'), text('Courier', 'the tracking of parcel delivery')], DOCUMENT)
  const [query] = await embedder.embed([text('how do we reimburse my money')], QUERY)
  assert.ok(Math.abs(Math.hypot(...refund) - 1) < 1e-6)
  assert.ok(cosine(query, refund) > 0.9)
  assert.ok(cosine(query, parcel) < 0.1)
})

test('many texts come back in order; one of which nothing is known is nothing', async () => {
  const embedder = await open()
  const words = ['refund', 'login', '', 'parcel', 'zzz', 'password', 'courier', 'the', 'money', 'shipping', '😀', 'back']
  const together = await embedder.embed(words.map((word) => text(word)), DOCUMENT)
  for (const [at, word] of words.entries()) {
    const [alone] = await embedder.embed([text(word)], DOCUMENT)
    assert.ok(together[at].every((value, axis) => Math.abs(value - alone[axis]) < 1e-6), word)
  }
  for (const at of [2, 4, 10]) assert.deepEqual(together[at], new Float32Array(8), words[at])
  assert.deepEqual(await embedder.embed([], DOCUMENT), [])
})

test('texts are cut to what the model reads, and prefixed by their kind', async () => {
  const embedder = await open({ queryPrefix: 'login ', documentPrefix: 'parcel ' })
  const [query] = await embedder.embed([text('refund')], QUERY)
  const [document] = await embedder.embed([text('refund')], DOCUMENT)
  assert.ok(query[1] > 0.5 && query[2] === 0)
  assert.ok(document[2] > 0.5 && document[1] === 0)
  const [long] = await embedder.embed([text('refund '.repeat(30_000))], QUERY)
  assert.ok(long[0] > 0.9)
})

test('a model that ends before its tokenizer does is not asked past its end', async () => {
  const short = join(scratch, 'short')
  await cp(model, short, { recursive: true })
  await writeFile(join(short, 'config.json'), JSON.stringify({ model_type: 'bert', architectures: ['BertModel'], max_position_embeddings: 6 }))
  const embedder = await open({ folder: short })
  const [vector] = await embedder.embed([text(`refund refund ${'login '.repeat(20)}`)], QUERY)
  assert.ok(vector[0] > vector[1])
})

test('pooling by the first token', async () => {
  const [vector] = await (await open({ pooling: 'cls' })).embed([text('refund')], QUERY)
  assert.deepEqual(vector, new Float32Array(8), 'which means nothing in this model')
})

test('the version is of the content: another path, another time, the same', async () => {
  const { version } = await open()
  const copy = join(scratch, 'copy')
  await cp(model, copy, { recursive: true })
  assert.equal((await open({ folder: copy })).version, version)
  await rename(join(copy, 'onnx', 'model.onnx'), join(copy, 'onnx', 'model_quantized.onnx'))
  assert.equal((await open({ folder: copy })).version, version, 'the only graph there is needs no name')
  await writeFile(join(copy, 'tokenizer_config.json'), JSON.stringify({ tokenizer_class: 'BertTokenizer', model_max_length: 16 }))
  const versions = [version, ...await Promise.all([
    { folder: copy }, { pooling: 'cls' }, { window: 9 }, { queryPrefix: 'q' }, { documentPrefix: 'q' }
  ].map(async (settings) => (await open(settings)).version))]
  assert.equal(new Set(versions).size, versions.length)
})

test('what is missing is said in a sentence', async () => {
  const refused = async (settings, message, library = LIBRARY) =>
    assert.rejects(openOnnx({ ...SETTINGS, folder: model, ...settings }, library), (error) => error.name === 'Refusal' && message.test(error.message))
  await refused({}, /^EMBEDDER=onnx needs the package @huggingface\/transformers, which is not installed: npm install/, 'not-installed')
  await refused({ folder: join(scratch, 'nowhere') }, /^ONNX_MODEL names no folder that can be read/)
  const broken = join(scratch, 'broken')
  await cp(model, broken, { recursive: true })
  await writeFile(join(broken, 'onnx', 'model.onnx'), 'no model')
  await refused({ folder: broken }, /^The model in .* cannot be used: ./)
  await rename(join(broken, 'onnx', 'model.onnx'), join(broken, 'onnx', 'one.onnx'))
  await writeFile(join(broken, 'onnx', 'two.onnx'), '')
  await refused({ folder: broken }, /has one.onnx, two.onnx, none of which is named model.onnx/)
  await unlink(join(broken, 'tokenizer.json'))
  await refused({ folder: broken }, /lacks tokenizer.json/)
})

test('a caller who leaves is not kept', async () => {
  const embedder = await open()
  await assert.rejects(embedder.embed([text('refund')], { ...QUERY, signal: AbortSignal.abort(new Error('left')) }), { message: 'left' })
  const [vector] = await embedder.embed([text('refund')], QUERY)
  assert.ok(vector[0] > 0.9)
})

test('a thread that ends is begun anew, and who waited is told', async () => {
  const brittle = join(scratch, 'brittle.mjs')
  await writeFile(brittle, `
    export const env = {}
    export const pipeline = async () => async ([text]) => text === 'die' ? process.exit() : { dims: [1, 2], data: new Float32Array([3, 4]) }`)
  const embedder = await openOnnx({ ...SETTINGS, folder: model }, pathToFileURL(brittle).href)
  await assert.rejects(embedder.embed([text('die')], QUERY), { name: 'EmbedderUnavailable', message: 'The model of ONNX_MODEL failed: its thread ended' })
  assert.deepEqual(await embedder.embed([text('live')], QUERY), [new Float32Array([0.6, 0.8])])
})

test('the thread keeps no process alive, and does not break one that ends', async () => {
  const script = join(scratch, 'script.mjs')
  await writeFile(script, `
    const { openOnnx } = await import(${JSON.stringify(new URL('../../../../.test-build/src/search/embedders/onnx/onnx-embedder.js', import.meta.url).href)})
    const embedder = await openOnnx(${JSON.stringify({ ...SETTINGS, folder: model })}, ${JSON.stringify(LIBRARY)})
    const [vector] = await embedder.embed([{ parts: [{ text: 'refund', weight: 1 }] }], { kind: 'query' })
    console.log(vector.length)`)
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { timeout: 300_000 })
  assert.equal(stdout, '8\n')
  assert.equal(stderr, '')
})
