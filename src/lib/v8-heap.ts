/** How V8 lets heaps grow. */
import { setFlagsFromString } from 'node:v8'

/** How much more than what is in use a heap may hold before V8 collects all of its garbage, in percent. */
const GROWTH_PERCENT = 25
/** Half the room for young objects that a later thread has, in megabytes. */
const SEMI_SPACE_MB = 1

/**
 * Keeps the heaps of a process small that answers requests all the time. To be called before threads are started.
 *
 * - V8 collects the garbage of all threads, but for young objects, when a heap has grown by a quarter. By itself it
 *   waits until the heap is up to four times as large, which a server that answers requests holds ever after.
 * - A thread that is started later has 2 MB of room for young objects, whatever `NODE_OPTIONS` says, which otherwise
 *   overrules the limits that a thread is given.
 */
export const limitHeapGrowth = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  setFlagsFromString(`--max-semi-space-size=${SEMI_SPACE_MB}`)
}
