/** The thread that PGlite runs in. */
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { openPgliteEngine, type PgliteEngine } from './pglite-engine.js'
import { toPgliteError, type PgliteAnswer, type PgliteCall, type PgliteWorkerData } from './pglite-messages.js'

/**
 * The bytes of code that a function of WebAssembly runs before it is compiled with optimization: ten times Node's own
 * number. Otherwise a start compiles some thousand functions that run seldom, for a second of CPU time and 50 MB.
 */
const WASM_TIERING_BUDGET = 20_000_000

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
  setFlagsFromString(`--wasm-tiering-budget=${WASM_TIERING_BUDGET}`)
  const reply = (work: Promise<unknown[]>): Promise<void> => work.then(
    (rows) => { port.postMessage({ rows } satisfies PgliteAnswer) },
    (error: unknown) => { port.postMessage({ error: toPgliteError(error) } satisfies PgliteAnswer) }
  )
  const { folder }: PgliteWorkerData = workerData
  const opening = openPgliteEngine({ folder })
  let last = reply(opening.then(() => []))
  port.on('message', (message: PgliteCall) => {
    last = last.then(async () => { await reply(opening.then((engine) => answer(engine, message))) })
  })
}
