/** Runs a local model in a worker thread: one vector per text, in order. */
import { workerThread } from '../../worker-thread.js'
import type { ModelAnswer, ModelOptions } from './model-worker.js'

/** The vectors of texts, as the model gives them. */
export type Model = (texts: readonly string[]) => Promise<ModelAnswer>

/** Starts the thread with the first call. Failures are answers with `ok: false`; it never rejects. */
export function model (options: ModelOptions): Model {
  const module = new URL('model-worker.js', import.meta.url)
  const ask = workerThread<readonly string[], ModelAnswer>(module, { workerData: options })
  return async (texts) => await ask(texts).catch(({ message }: Error): ModelAnswer => ({
    ok: false, fault: message, missing: false
  }))
}
