/** A local model in a thread of its own: texts in, one vector each out, in turn. */
import { thread } from '../../worker-thread.js'
import type { Answer, ModelOptions } from './model-worker.js'

/** What a model makes of texts, as it makes it. */
export type Model = (texts: readonly string[]) => Promise<Answer>

export function model (options: ModelOptions): Model {
  const ask = thread<readonly string[], Answer>(new URL('model-worker.js', import.meta.url), { workerData: options })
  return async (texts) => await ask(texts).catch(({ message }: Error): Answer => ({ ok: false, fault: message, missing: false }))
}
