/** The thread that PGlite runs in. */
import { parentPort, workerData } from 'node:worker_threads'
import { openPgliteEngine, type PgliteEngine } from './pglite-engine.js'
import { toPgliteError, type PgliteAnswer, type PgliteCall, type PgliteWorkerData } from './pglite-messages.js'

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
