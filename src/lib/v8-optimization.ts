/**
 * When V8 optimizes functions. A start runs many functions often enough for that, but only for half a second: to
 * optimize them takes a sixth of its processor time and saves next to nothing of it.
 */
import { setFlagsFromString } from 'node:v8'

/** Has V8 optimize no function, in all threads, until `startOptimization`. */
export const stopOptimization = (): void => { setFlagsFromString('--no-opt') }

/** Ends that: what has run often by then is optimized when it runs again. */
export const startOptimization = (): void => { setFlagsFromString('--opt') }
