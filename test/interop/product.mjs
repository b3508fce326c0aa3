// The product as a newcomer starts it: on a new data folder, with the sample data.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { compile, compiledPath } from '../../scripts/test/compile.mjs'

await compile()
const { commandLine, noDatabase } = await import(compiledPath('test/helpers/command-line.ts'))

/** Commands of the program in this process, as to load it for each computes for half a second. They ask the server on the folder `data`. */
export const commandsIn = (data, more) => commandLine({ teardown: () => {} }, { data, home: data, openBackend: noDatabase, ...more })

/**
 * Arguments of Node that run the program. The engine of the embedded database is compiled without optimizing it: a process of a test ends
 * before that would pay.
 */
const PROGRAM = ['--liftoff-only', fileURLToPath(new URL('../../dist/cli.js', import.meta.url))]

/** `args` are more of `serve`. */
export const startProduct = async (...args) => {
  const folder = await mkdtemp(join(tmpdir(), 'interop-'))
  const env = { ...process.env, DATA_DIR: folder, RATE_LIMIT_READ_PER_MINUTE: '100000', RATE_LIMIT_READ_PER_DAY: '100000', CONCURRENT_CALLS: '1000', LOG_LEVEL: 'silent' }
  const server = spawn(process.execPath, [...PROGRAM, 'serve', '--port', '0', '--json', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: server.stdout }), 'line')
  const announced = JSON.parse(line)
  const commands = commandsIn(folder)
  return {
    url: announced.endpoint,
    key: announced.key,
    /** The link of the first start, which signs one person in with a browser, once. */
    signInUrl: announced.sign_in?.url,
    command: (...args) => commands.json(args),
    importRecords: (...records) => commands.json('import -', records.map((record) => JSON.stringify(record)).join('\n')),
    async stop () {
      server.kill()
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    }
  }
}
