/** Where the project is, for what is no module: files that it ships, caches. */
import { fileURLToPath } from 'node:url'

/** Ends with a slash. Also right for a compiled test, which lies in `.test-build/`. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/\.test-build\/$/, '')
