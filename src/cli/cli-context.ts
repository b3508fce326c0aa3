/** What a command gets: its options, and the process as it sees it, which cli.ts creates; tests pass their own. */
import type { Readable, Writable } from 'node:stream'
import type { Host } from '../agent-setup/file-system.js'
import type { Flags } from '../config/config.js'
import type { OpenBackend } from '../server/backend.js'

export interface CliContext {
  env: Readonly<Record<string, string | undefined>>
  pid: number
  /** The host whose agents are configured, and the folder that the command was called in. */
  host: Host & { hostname: string, folder: string }
  /** Questions are asked only when `isTTY` is true for both stdin and stderr. */
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  stderr: Writable & { isTTY?: boolean }
  /** Calls the listener at the first signal that asks for a graceful stop. */
  onStop (listener: () => void): void
  /** Opens an address in the user's browser. Rejects when no browser can be started. */
  openInBrowser (url: string): Promise<unknown>
  openBackend: OpenBackend
}

/** Runs a command; `flags` are the options that are settings. */
export type CommandHandler<Options = unknown> = (
  options: Options & { json: boolean }, context: CliContext, flags: Flags
) => Promise<void>
