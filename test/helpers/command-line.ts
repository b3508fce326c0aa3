/** Runs command lines in this process, over one database in memory, as a program would in one of its own. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { fileSystem } from '../../src/agent-setup/file-system.js'
import { main } from '../../src/cli/program.js'
import { backendOn, type Backend, type OpenBackend } from '../../src/server/backend.js'
import { testConfig } from './config.js'
import { leaseEmbedded } from './embedded-database.js'
import { sharedEmbedders } from './shared-embedders.js'

export interface Outcome { code: number, out: string, err: string }

export type CommandLine = ReturnType<typeof commandLine>

interface Around {
  env?: Record<string, string>
  data?: string
  /** The home folder of its machine; unless given an empty one beside the data. */
  home?: string
  /** The folder that commands are called in; the one of the data unless given. */
  folder?: string
  /** Instead of noting the address only. */
  openInBrowser?: (url: string) => Promise<unknown>
  /** Instead of a database in memory. */
  openBackend?: OpenBackend
}

/** For commands that need no data: one that opens them fails. */
export const noDatabase: OpenBackend = async () => { throw new Error('it opens a database') }

export function commandLine (
  t: Test, { env = {}, data = join(t.testdir(), 'data'), home = join(data, '..', 'home'), folder = data, openBackend, openInBrowser }: Around = {}
) {
  let opened: Promise<Backend> | undefined
  // With the sample data when the first to open it asks for them. It stays open from one command to the next.
  const backend = (sample = false): Promise<Backend> => {
    opened ??= leaseEmbedded(sample ? 'sample' : 'migrated').then((db) => backendOn(db, testConfig(), undefined, sharedEmbedders()))
    return opened
  }
  t.teardown(async () => { await (await opened)?.close() })
  let count = 0
  const pages: string[] = []
  mkdirSync(home, { recursive: true })
  // The folder of a database that stands for the one in memory.
  if (!openBackend) mkdirSync(join(data, 'database'), { recursive: true })
  const start = (line: string | string[], stdin: string | Readable = '', isTTY = false) => {
    // Read when the command has ended: until then they take whatever is written.
    const taking = () => new PassThrough({ highWaterMark: 2 ** 30 })
    const streams = { stdout: taking(), stderr: Object.assign(taking(), { isTTY }) }
    const stopping: Array<() => void> = []
    const code = main(typeof line === 'string' ? line.split(' ') : line, {
      ...streams,
      env: { DATA_DIR: data, LOG_LEVEL: 'silent', ...env },
      pid: process.pid,
      host: { platform: process.platform, home, env, fileSystem, hostname: 'testhost', folder },
      stdin: Object.assign(typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin, { isTTY }),
      onStop: (listener) => { stopping.push(listener) },
      openInBrowser: async (url) => {
        pages.push(url)
        return openInBrowser?.(url)
      },
      openBackend: async (config, folder, { sample = false } = {}) => {
        count++
        if (openBackend) return openBackend(config, folder)
        const sampleLoaded = sample && opened === undefined
        return { ...await backend(sample), sampleLoaded, close: async () => {} }
      }
    })
    const ended: Promise<Outcome> = code.then(async (code) => {
      for (const stream of Object.values(streams)) stream.end()
      return { code, out: await text(streams.stdout), err: await text(streams.stderr) }
    })
    return { ...streams, ended, async stop (): Promise<Outcome> { for (const stop of stopping) stop(); return ended } }
  }
  const run = (line: string | string[], stdin?: string | Readable) => start(line, stdin).ended
  return {
    data,
    /** What the commands work on, unless `openBackend` is given. */
    backend: () => backend(),
    home,
    /** How often a database was opened. */
    opened: () => count,
    /** The addresses that were opened in a browser. */
    pages: () => pages,
    run,
    /** What a command printed, in an encoding that may not be UTF-8. */
    async bytes (line: string[]): Promise<Buffer> {
      const { stdout, ended } = start(line)
      const chunks: Buffer[] = []
      stdout.on('data', (chunk: Buffer) => { chunks.push(chunk) })
      await ended
      return Buffer.concat(chunks)
    },
    /** For one that takes a while. `heard` waits for what matches on standard error, and rejects when the command ends before. */
    begin (line: string, { isTTY } = { isTTY: false }) {
      const { stderr, ended, stop } = start(line, '', isTTY)
      let said = ''
      stderr.on('data', (chunk: Buffer) => { said += chunk.toString() })
      return {
        heard: async (what: RegExp): Promise<string> => {
          for (let found; ;) {
            if ((found = what.exec(said))) return found[1] ?? found[0]
            await Promise.race([once(stderr, 'data'), ended.then(({ code, err }) => { throw new Error(`exit ${code}: ${said}${err}`) })])
          }
        },
        ended: ended.then((outcome) => ({ ...outcome, err: said })),
        stop
      }
    },
    /** On a terminal, where this is typed. */
    type: (line: string | string[], answer: string) => start(line, answer, true).ended,
    async json<T> (line: string | string[], stdin?: string): Promise<T> {
      const { code, out, err } = await run([...(typeof line === 'string' ? line.split(' ') : line), '--json'], stdin)
      if (code !== 0) throw new Error(`exit ${code}: ${err}`)
      return JSON.parse(out)
    },
    /** Serves until `stop`; `hello` is what it said once it listened, `said` all that it printed so far. */
    async serve (line = 'serve --port 0 --no-sample') {
      const serving = start(line)
      t.teardown(() => serving.stop())
      let said = ''
      serving.stdout.on('data', (chunk: Buffer) => { said += chunk.toString() })
      const hello = await Promise.race([
        new Promise<string>((resolve) => serving.stdout.once('data', (chunk: Buffer) => { resolve(chunk.toString()) })),
        serving.ended.then(({ code, err }) => { throw new Error(`exit ${code}: ${err}`) })
      ])
      return { hello, said: () => said, ended: serving.ended, stop: serving.stop }
    }
  }
}
