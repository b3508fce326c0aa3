/** Processes that run test files: as many as are used at once, each for many files, and one of its own for a file that asks for it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))
// Against tests that hang: no test relies on it. A file that goes on saying something is slow, and no more than that.
const SILENCE_MS = 900_000
const GRACE_MS = 30_000
// Memory of closed databases is given back late: a worker with more than this makes room for a new one.
const MAX_RSS_BYTES = 1.5 * 2 ** 30

// For one file it does not pay to optimize the engine of the embedded database; for many files, the functions that run ten times as long as
// V8's own bound. More room for young objects: they are collected less often.
const ALONE = ['--liftoff-only']
const SHARED = ['--wasm-tiering-budget=20000000', '--max-semi-space-size=64']

/**
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {{ results: string, durationMs: number, cpuMs: number }} FileRun what tap says about the file, and what it took
 * @typedef {{ run: (path: string, alone: boolean) => Promise<FileRun>, close: () => Promise<void> }} Workers
 */

/** @returns {Workers} */
export const createWorkers = () => {
  /** @type {ChildProcess[]} */
  const idle = []
  /** @param {boolean} alone */
  const start = (alone) => fork(WORKER, {
    // What a test prints does not belong to the results.
    stdio: ['ignore', 2, 2, 'ipc'],
    env: { ...process.env, TEST_WORKER: '1' },
    execArgv: ['--enable-source-maps', '--no-warnings', ...alone ? ALONE : SHARED]
  })

  /** One that a late error has ended is of no use. */
  const takeIdle = () => {
    let worker = idle.pop()
    while (worker && !worker.connected) worker = idle.pop()
    return worker
  }

  /**
   * @param {string} path
   * @param {boolean} alone
   */
  const run = async (path, alone) => {
    const begun = performance.now()
    let results = ''
    let cpuMs = 0
    const worker = (alone ? undefined : takeIdle()) ?? start(alone)
    const rss = await new Promise((resolve) => {
      /** @param {string} reason */
      const fail = (reason) => {
        results += `\nnot ok - ${path}: ${reason}\n`
        resolve(Infinity)
      }
      const timer = setTimeout(() => {
        fail(`there was no result for ${SILENCE_MS / 1000} s`)
        worker.kill('SIGKILL')
      }, SILENCE_MS)
      worker.once('exit', onExit)
      worker.on('message', onMessage)
      /**
       * @param {number | null} code
       * @param {string | null} signal
       */
      function onExit (code, signal) {
        clearTimeout(timer)
        fail(`the process ended with ${signal ?? code} in the middle of it`)
      }
      /** @param {{ text?: string, done?: string, rss?: number, cpuMs?: number }} message */
      function onMessage ({ text, done, rss, cpuMs: worked = 0 }) {
        timer.refresh()
        if (text !== undefined) results += text
        if (done === undefined) return
        cpuMs = worked
        clearTimeout(timer)
        worker.off('message', onMessage)
        worker.off('exit', onExit)
        resolve(rss)
      }
      worker.send({ path })
    })
    if (!alone && rss < MAX_RSS_BYTES) idle.push(worker)
    else await end(worker, path)
    return { results, durationMs: performance.now() - begun, cpuMs }
  }

  return {
    run,
    async close () {
      for (const worker of idle) await end(worker, 'the last file')
    }
  }
}

/**
 * A process that does not end by itself has something open: a server, a timer, a connection.
 * @param {ChildProcess} worker
 * @param {string} path
 */
const end = async (worker, path) => {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const exited = once(worker, 'exit')
  worker.send('end')
  const timer = setTimeout(() => {
    console.error(`${path}: its process does not end: something is left open`)
    process.exitCode = 1
    worker.kill('SIGKILL')
  }, GRACE_MS)
  await exited
  clearTimeout(timer)
}
