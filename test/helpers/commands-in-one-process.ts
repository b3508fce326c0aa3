/** A program instead of the real one for shell scripts: all calls of it run in one process. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const HOST = fileURLToPath(new URL(`command-host${extname(import.meta.url)}`, import.meta.url))
const CLIENT = fileURLToPath(new URL('command-client.mjs', import.meta.url))

/**
 * Starts the process in a folder, which all commands are called in, whatever the folder of the caller.
 * @returns the first words of a command line instead of the program's name
 */
export const commandsInOneProcess = async (t: Test, folder: string): Promise<string[]> => {
  // The path of a socket has at most a hundred characters or so.
  const short = mkdtempSync(join(tmpdir(), 'commands-'))
  const address = join(short, 'socket')
  const host = fork(HOST, [address], { cwd: folder })
  t.teardown(async () => {
    host.kill('SIGKILL')
    if (host.exitCode === null && host.signalCode === null) await once(host, 'exit')
    rmSync(short, { recursive: true })
  })
  await Promise.race([once(host, 'message'), once(host, 'exit').then(() => { throw new Error('the host of commands ended') })])
  return [process.execPath, CLIENT, address]
}
