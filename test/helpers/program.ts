/** The program, for tests that start it in processes of its own. Beside a compiled test lies a compiled `dist`. */
import { fileURLToPath } from 'node:url'

/**
 * Arguments of Node that run it. The engine of the embedded database is compiled without optimizing it: a process of a test ends before
 * that would pay.
 */
export const PROGRAM = ['--liftoff-only', fileURLToPath(new URL('../../dist/cli.js', import.meta.url))]
