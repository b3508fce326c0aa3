/** Runs the command of a client under test: bounded in time and output, and ended with all of its children. */
import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkbenchError } from '../exit-codes.js'

export interface SubjectOutcome {
  /**
   * `itself`: it ended. `for`: it was ended when the time of `--for` was over. `timeout`: it was ended because it did
   * not end. `stopped`: the user stopped the run.
   */
  end: 'itself' | 'for' | 'timeout' | 'stopped'
  exitCode: number | null
  signal: string | null
  /** The last 64 KiB of each stream. */
  stdout: string
  stderr: string
}

export interface SubjectOptions {
  env: Readonly<Record<string, string | undefined>>
  timeout: number
  /** For a command that does not end: how many seconds it runs. */
  for?: number | undefined
  signal: AbortSignal
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const TAIL = 64 * 1024
const GRACE_MS = 2000

/** Resolves when the command has ended. @throws {WorkbenchError} `command-not-started` or `output-too-large` */
export const runSubject = async (
  [file, ...args]: readonly string[], { env, timeout, for: seconds, signal }: SubjectOptions
): Promise<SubjectOutcome> => {
  if (file === undefined) throw new WorkbenchError('command-not-started', 'There is no command after --.')
  // A group of its own, so that its children end with it.
  const child = spawn(file, args, {
    env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32'
  })
  let end: SubjectOutcome['end'] = 'itself'
  let tooMuch = false
  let hardTimer: NodeJS.Timeout | undefined
  const stop = (reason: SubjectOutcome['end']): void => {
    if (end !== 'itself') return
    end = reason
    kill(child, 'SIGTERM')
    hardTimer = setTimeout(() => kill(child, 'SIGKILL'), GRACE_MS)
  }
  const outputs = [child.stdout, child.stderr].map((stream) => tailOf(stream, () => {
    tooMuch = true
    stop('stopped')
    kill(child, 'SIGKILL')
  }))
  const timer = setTimeout(() => stop(seconds === undefined ? 'timeout' : 'for'), (seconds ?? timeout) * 1000)
  const onAbort = () => stop('stopped')
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const [exitCode, signalName] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        reject(new WorkbenchError('command-not-started',
          `The command cannot be started: ${file.slice(0, 200)} (${error.code ?? error.message}).`))
      })
      child.once('exit', (code, name) => {
        // What it left behind keeps the pipes open.
        kill(child, 'SIGKILL')
        resolve([code, name])
      })
    })
    await Promise.race([Promise.all(outputs.map(({ ended }) => ended)), sleep(GRACE_MS, undefined, { ref: false })])
    if (tooMuch) {
      throw new WorkbenchError('output-too-large',
        `The command printed more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB, and was ended.`)
    }
    const [stdout, stderr] = outputs.map(({ text }) => text())
    return { end, exitCode, signal: signalName, stdout: stdout ?? '', stderr: stderr ?? '' }
  } finally {
    clearTimeout(timer)
    clearTimeout(hardTimer)
    signal.removeEventListener('abort', onAbort)
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
}

const kill = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (child.pid === undefined) return
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has ended.
  }
}

/** Reads a stream and keeps its end. `onTooMuch` is called when it passes the bound. */
const tailOf = (stream: Readable, onTooMuch: () => void) => {
  let tail = Buffer.alloc(0)
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    tail = Buffer.concat([tail, chunk]).subarray(-TAIL)
    if (size > MAX_OUTPUT_BYTES) onTooMuch()
  })
  stream.on('error', () => {})
  return { text: () => tail.toString(), ended: new Promise((resolve) => { stream.once('close', resolve) }) }
}
