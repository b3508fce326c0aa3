/** A local model in a thread of its own: texts in, one vector each out, in turn. */
import { workerThread } from '../../worker-thread.js'
import type { ModelAnswer, ModelOptions } from './model-worker.js'

/** What a model makes of texts, as it makes it. */
export type Model = (texts: readonly string[]) => Promise<ModelAnswer>

export function model (options: ModelOptions): Model {
  const ask = workerThread<readonly string[], ModelAnswer>(new URL('model-worker.js', import.meta.url), { workerData: options })
  return async (texts) => await ask(texts).catch(({ message }: Error): ModelAnswer => ({
    ok: false, fault: message, missing: false
  }))
}
