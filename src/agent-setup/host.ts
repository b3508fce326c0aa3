/** The machine whose agents are configured; tests pass another one. */
import type { FileSystem } from './file-system.js'

export interface Host {
  platform: NodeJS.Platform
  home: string
  env: Readonly<Record<string, string | undefined>>
  fileSystem: FileSystem
}
