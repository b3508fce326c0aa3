/** What a command sees of the process it runs in: handed over by cli.ts, so that tests can hand over something else. */
import type { Readable, Writable } from 'node:stream'
import type { Host } from '../coding-agents/host.js'
import type { Config } from '../config.js'
import type { DataFolder } from '../server/data-folder.js'
import type { ManagementPorts } from '../api/management/management-ports.js'
import type { ServerDeps } from '../server/dependencies.js'
import type { Indexer } from '../search/indexer.js'

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

/** The ports over an open, migrated database. */
export type Backend = ManagementPorts & Omit<ServerDeps, 'sessionSecret' | 'logDestination'> & {
  searchIndex: Indexer
  /** Lets a role of PostgreSQL serve on the schema that this one owns. */
  admitServerRole (role: string): Promise<void>
  /** What no two replicas on one database may do at the same time. */
  exclusively<T> (work: () => Promise<T>): Promise<T>
  close (): Promise<void>
}

/** Opens the folder's embedded database, or the one of `databaseUrl` when there is no folder. */
export type OpenBackend = (config: Config, folder: DataFolder | undefined) => Promise<Backend>
