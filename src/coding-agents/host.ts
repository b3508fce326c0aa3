/** The machine that agents are looked for on: handed over, so that a test can hand over another. */
import type { FileSystem } from './file-system.js'

export interface Host {
  platform: NodeJS.Platform
  home: string
  env: Readonly<Record<string, string | undefined>>
  fileSystem: FileSystem
}
