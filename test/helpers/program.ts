/** The program, for tests that start it in processes of its own. Beside a compiled test lies a compiled `dist`. */
import { fileURLToPath } from 'node:url'

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/**
 * Arguments of Node that run it. Neither its code nor the engine of the embedded database is optimized: a process of a test ends before
 * that would pay. That is a fifth of the computing of a short command.
 */
export const PROGRAM = ['--liftoff-only', '--no-opt', '--max-lazy', CLI]
