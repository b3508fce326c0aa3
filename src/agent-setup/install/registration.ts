/** The record of an entry that was written into an agent's file, as needed to remove exactly that. Has no secrets. */
import type { ConfigScope, SecretReference } from '../registry/agent.js'
import type { Trace } from '../config-files/editor.js'
import type { Path } from '../config-files/tree.js'

export interface Registration {
  agent: string
  /** The entry's name. */
  name: string
  url: string
  scope: ConfigScope
  file: string
  secret: SecretReference['kind']
  puts: Array<{ path: Path, trace: Trace, digest: string }>
  /** Folders created for the file, outermost first; absent when the file existed before. */
  made?: string[]
  /** The permission bits of the file before it was made private; absent when they were not changed. */
  modeBefore?: number
  /** Copies of the file before each change. */
  backups: string[]
}
