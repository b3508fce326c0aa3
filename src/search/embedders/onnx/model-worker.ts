/** The worker thread of a local model: its library computes synchronously and would block all requests. */
import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'

export interface ModelOptions {
  /** The module to import. */
  library: string
  path: string
  subfolder: string
  graph: string
  pooling: 'mean' | 'cls'
}

/** `tokens`: how many of a text are read. `missing`: the library is not installed. */
export type ModelAnswer = {
  ok: true, data: Float32Array, dimensions: number, tokens: number
} | { ok: false, fault: string, missing: boolean }

/** The part of `@huggingface/transformers` that is used. */
interface Transformers {
  env: { allowRemoteModels: boolean, fetch: () => Promise<never> }
  pipeline (task: 'feature-extraction', path: string, options: Record<string, unknown>): Promise<Extractor>
}
interface Extractor {
  (texts: readonly string[], options: { pooling: string }): Promise<{ dims: number[], data: Float32Array }>
  readonly tokenizer?: { readonly model_max_length: number }
  readonly model?: { config: { max_position_embeddings?: number } }
}

// Some models count their positions from 2.
const FIRST_POSITION = 2

async function load ({ library, path, subfolder, graph }: ModelOptions): Promise<Extractor> {
  const { env, pipeline }: Transformers = await import(library)
  env.allowRemoteModels = false
  env.fetch = async () => { throw new Error('nothing is fetched') }
  const extractor = await pipeline('feature-extraction', path, {
    local_files_only: true, device: 'cpu', dtype: 'fp32', subfolder, model_file_name: graph
  })
  const { tokenizer, model } = extractor
  const positions = model?.config.max_position_embeddings
  // Not every tokenizer knows the model's limit, and beyond its limit a model fails.
  if (tokenizer && positions !== undefined && tokenizer.model_max_length > positions) {
    Object.defineProperty(tokenizer, 'model_max_length', { value: positions - FIRST_POSITION })
  }
  return extractor
}

async function answer (model: Promise<Extractor>, texts: readonly string[], pooling: string): Promise<ModelAnswer> {
  try {
    const extractor = await model
    const { dims, data } = await extractor(texts, { pooling })
    const tokens = extractor.tokenizer?.model_max_length ?? Infinity
    return { ok: true, data: Float32Array.from(data), dimensions: dims.at(-1) ?? 0, tokens }
  } catch (error) {
    const { message = '', code = '' }: { message?: string, code?: string } = error instanceof Error ? error : {}
    return { ok: false, fault: message, missing: code === 'ERR_MODULE_NOT_FOUND' }
  }
}

if (parentPort) {
  const options: ModelOptions = workerData
  const messages = on(parentPort, 'message')
  const model = load(options)
  model.catch(() => {})
  // Each message is an array of texts and gets one answer, in order.
  for await (const [texts] of messages) {
    parentPort.postMessage(await answer(model, texts, options.pooling))
  }
}
