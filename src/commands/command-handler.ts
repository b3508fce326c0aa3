/** What runs a command: its own options, its surroundings, and those flags that are settings. */
import type { Flags } from '../config.js'
import type { Surroundings } from './cli-context.js'

export type Run<Options = unknown> = (options: Options & { json: boolean }, surroundings: Surroundings, flags: Flags) => Promise<void>
