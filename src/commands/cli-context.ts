/** The process as a command sees it. cli.ts creates it; tests pass their own. */
import type { Readable, Writable } from 'node:stream'
import type { Host } from '../coding-agents/host.js'
import type { OpenBackend } from '../server/backend.js'

export interface CliContext {
  env: Readonly<Record<string, string | undefined>>
  pid: number
  /** Whose agents are looked for, and the folder that the command was called in. */
  host: Host & { hostname: string, folder: string }
  /** Questions are asked only where `isTTY` is true, here and there. */
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  /** Progress is drawn only where `isTTY` is true. */
  stderr: Writable & { isTTY?: boolean }
  /** The first call of the listener asks for a graceful stop. */
  onStop (listener: () => void): void
  openBackend: OpenBackend
}
