/**
 * Runs a command beside a real PostgreSQL and Valkey, whose addresses it finds in TEST_DATABASE_URL and TEST_VALKEY_URL, and stops them afterwards:
 * `node scripts/services/run.mjs npm test -- test/db`. Without a command it is a shell.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { DEBIAN, folderInside } from './debian.mjs'
import { stop } from './process.mjs'
import { startPostgres, startValkey } from './services.mjs'

// Nothing has to survive a crash, and nothing is replicated.
const FAST = ['full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0', 'synchronous_commit=off']

const folder = folderInside()

/** @type {import('./process.mjs').Started[]} */
const started = []
const interrupted = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)))

try {
  const postgres = await startPostgres(folder, { settings: FAST })
  started.push({ name: 'PostgreSQL', pid: postgres.pid, signal: 'SIGINT' })
  const valkey = await startValkey(folder)
  started.push({ name: 'Valkey', pid: valkey.pid, signal: 'SIGTERM' })
  const [command = 'sh', ...args] = process.argv.slice(2)
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: postgres.url, TEST_VALKEY_URL: valkey.url } })
  interrupted.then(() => child.kill(), () => {})
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
} finally {
  for (const service of started.reverse()) await stop(service)
  rmSync(DEBIAN + folder, { recursive: true, force: true })
}
process.exit()
