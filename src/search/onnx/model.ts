/** A local model in a thread of its own: texts in, one vector each out, in turn. */
import { Worker } from 'node:worker_threads'
import type { Answer, ModelOptions } from './model-thread.js'

/** What a model makes of texts, as it makes it. */
export type Model = (texts: readonly string[]) => Promise<Answer>

/** The thread begins with the first texts, and again after it broke; it keeps no process alive. */
export function model (options: ModelOptions): Model {
  const waiting: Array<(answer: Answer) => void> = []
  let worker: Worker | undefined

  const start = (): Worker => {
    const started = new Worker(new URL('model-thread.js', import.meta.url), { workerData: options })
    started.unref()
    started.on('message', (answer: Answer) => {
      waiting.shift()?.(answer)
      if (waiting.length === 0) started.unref()
    })
    let fault = 'its thread ended'
    started.once('error', ({ message }) => { fault = message })
    started.once('exit', () => {
      worker = undefined
      for (const resolve of waiting.splice(0)) resolve({ ok: false, fault, missing: false })
    })
    return started
  }

  return async (texts) => await new Promise((resolve) => {
    worker ??= start()
    worker.ref()
    waiting.push(resolve)
    worker.postMessage(texts)
  })
}
