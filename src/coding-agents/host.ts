/** The machine that agents are looked for on: handed over, so that a test can hand over another. */
import type { Disk } from './file-system.js'

export interface Machine {
  platform: NodeJS.Platform
  home: string
  env: Readonly<Record<string, string | undefined>>
  disk: Disk
}
