/** The thread that PGlite runs in. */
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { openPgliteEngine, type PgliteEngine } from './pglite-engine.js'
import {
  toPgliteError, type PgliteAnswer, type PgliteCall, type PgliteNotification, type PgliteWorkerData
} from './pglite-messages.js'

/**
 * How V8 compiles WebAssembly. A function is compiled with optimization when it has run about so many bytes of code
 * (about a thousand times V8's own number), one at a time. Otherwise a start optimizes some hundred functions, for half
 * a second of CPU time, and each compiling thread keeps its working memory: 50 MB together. Under load the functions
 * that matter are optimized within some thousand statements.
 */
const V8_FLAGS = ['--wasm-tiering-budget=2000000000', '--wasm-num-compilation-tasks=1']

const answer = async (engine: PgliteEngine, message: PgliteCall): Promise<unknown[]> => {
  switch (message.call) {
    case 'run': return await engine.run(message.text, message.values)
    case 'exec': await engine.exec(message.text); return []
    case 'script': await engine.script(message.text); return []
    case 'close': await engine.close(); return []
  }
}

if (parentPort) {
  const port = parentPort
  // Before PGlite is compiled: later they change nothing of it.
  for (const flag of V8_FLAGS) setFlagsFromString(flag)
  const reply = (work: Promise<unknown[]>): Promise<void> => work.then(
    (rows) => { port.postMessage({ rows } satisfies PgliteAnswer) },
    (error: unknown) => { port.postMessage({ error: toPgliteError(error) } satisfies PgliteAnswer) }
  )
  const { folder }: PgliteWorkerData = workerData
  const opening = openPgliteEngine({ folder })
  let last = reply(opening.then((engine) => {
    engine.onNotification((channel) => { port.postMessage({ channel } satisfies PgliteNotification) })
    return []
  }))
  port.on('message', (message: PgliteCall) => {
    last = last.then(async () => { await reply(opening.then((engine) => answer(engine, message))) })
  })
}
