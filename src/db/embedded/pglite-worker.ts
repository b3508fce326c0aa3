/** The thread that PGlite runs in. */
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { serveWorker } from '../../lib/async/worker-thread.js'
import { openPgliteEngine, type PgliteEngine } from './pglite-engine.js'

export interface PgliteWorkerData { folder?: string | undefined }

/** The name of what is called, and its arguments; `open` waits until the database is open. */
export type PgliteCall =
  ['open' | 'close'] | ['exec' | 'script', text: string] | ['run', text: string, values: readonly unknown[]]

/** An error as it crosses the threads: cloning it would lose the fields that PostgreSQL gave it. */
export interface PgliteError { message: string, fields: Record<string, string> }

/** What the thread sends: an answer to each call, in their order, and before it what its statement notified. */
export type PgliteMessage = { value: { rows: unknown[] } | { error: PgliteError } } | { channel: string }

/**
 * How V8 compiles WebAssembly. A function is compiled with optimization when it has run about so many bytes of code
 * (about a thousand times V8's own number), one at a time. Otherwise a start optimizes some hundred functions, for half
 * a second of CPU time, and each compiling thread keeps its working memory: 50 MB together. Under load the functions
 * that matter are optimized within some thousand statements.
 */
const V8_FLAGS = ['--wasm-tiering-budget=2000000000', '--wasm-num-compilation-tasks=1']

const FIELDS = [
  'name', 'code', 'severity', 'detail', 'hint', 'position', 'where', 'schema', 'table', 'column', 'dataType',
  'constraint'
]

const toPgliteError = (error: unknown): PgliteError => {
  if (!(error instanceof Error)) return { message: String(error), fields: {} }
  const fields = Object.entries(Object.getOwnPropertyDescriptors(error)).flatMap(([name, { value }]) =>
    FIELDS.includes(name) && typeof value === 'string' ? [[name, value] as const] : [])
  return { message: error.message, fields: Object.fromEntries(fields) }
}

const answer = async (engine: PgliteEngine, call: PgliteCall): Promise<unknown[]> => {
  if (call[0] === 'run') return await engine.run(call[1], call[2])
  if (call[0] === 'exec' || call[0] === 'script') await engine[call[0]](call[1])
  if (call[0] === 'close') await engine.close()
  return []
}

// Before PGlite is compiled: later they change nothing of it.
for (const flag of V8_FLAGS) setFlagsFromString(flag)
const { folder }: PgliteWorkerData = workerData
const opening = openPgliteEngine({ folder }).then((engine) => {
  engine.onNotification((channel) => { parentPort?.postMessage({ channel } satisfies PgliteMessage) })
  return engine
})
// The call `open` rejects with its error.
opening.catch(() => {})
serveWorker(async (call: PgliteCall) => await opening.then((engine) => answer(engine, call)).then(
  (rows) => ({ rows }), (error: unknown) => ({ error: toPgliteError(error) })))
