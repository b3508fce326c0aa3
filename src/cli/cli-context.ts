/** The process as a command sees it. cli.ts creates it; tests pass their own. */
import type { Readable, Writable } from 'node:stream'
import type { Host } from '../agent-setup/host.js'
import type { OpenBackend } from '../server/backend.js'

export interface CliContext {
  env: Readonly<Record<string, string | undefined>>
  pid: number
  /** The host whose agents are configured, and the folder that the command was called in. */
  host: Host & { hostname: string, folder: string }
  /** Questions are asked only when `isTTY` is true for both stdin and stderr. */
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  /** Progress is drawn only when `isTTY` is true. */
  stderr: Writable & { isTTY?: boolean }
  /** Calls the listener at the first signal that asks for a graceful stop. */
  onStop (listener: () => void): void
  /** Opens an address in the user's browser. Rejects when no browser can be started. */
  openInBrowser (url: string): Promise<unknown>
  openBackend: OpenBackend
}
