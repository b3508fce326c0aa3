/** One server on an embedded folder, which one of another build can replace. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/services/process.mjs'
import { createKey, endServer, PLANNED, runCommand, SAMPLE, startServer, UNDER_LOAD } from './prepare.js'
import type { Replaceable } from './upgrade.js'

interface Event { client?: string | null }

/** Starts a build on a new folder, with the sample data. */
export const embedded = async (program: string): Promise<Replaceable> => {
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'))
  const env = { DATA_DIR: join(folder, 'data') }
  const port = await freePort()
  let current: string
  let child: ChildProcess

  const command = (of: string, ...args: string[]): Promise<string> => runCommand(of, args, env)
  const start = async (of: string): Promise<void> => {
    current = of
    child = await startServer([process.execPath, of, 'serve', '--port', `${port}`], { ...UNDER_LOAD, ...env })
  }

  const changed = join(folder, 'changed.ndjson')
  const record = readFileSync(SAMPLE, 'utf8').split('\n').filter((line) => line.startsWith('{"type":"exploration"'))
    .map((line) => JSON.parse(line) as { id: string }).find(({ id }) => id === PLANNED)!

  await start(program)
  const { key } = await createKey((...args) => command(program, ...args), 'admin')
  return {
    addresses: [`http://127.0.0.1:${port}`],
    key,
    exploration: PLANNED,
    sideBySide: false,
    command,
    change: () => {
      writeFileSync(changed, `${JSON.stringify({ ...record, updated_at: new Date().toISOString() })}\n`)
      return command(current, 'import', changed)
    },
    async audited (name) {
      const counts = new Map<string, number>()
      for (const line of (await command(current, 'audit', '--action', 'tools/call', '--ndjson')).split('\n').filter(Boolean)) {
        const { client } = JSON.parse(line) as Event
        const [of, as] = client?.split('/') ?? []
        if (of === name && as !== undefined) counts.set(as, (counts.get(as) ?? 0) + 1)
      }
      return [...counts].map(([as, n]) => ({ as, n }))
    },
    async replace (_n, to) {
      await endServer(child, 'SIGTERM')
      await start(to)
    },
    async close () {
      await endServer(child, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
