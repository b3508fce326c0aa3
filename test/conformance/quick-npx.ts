/** An `npx` that starts the official suite at once, for many runs of it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SUITE } from '../../src/cli/testing/conformance/official-suite.js'

/** Runs the command after `--`, as the true npx does when it has found the packages. What Node has compiled once, it reads from then on. */
const NPX = '#!/bin/sh\nexport NODE_COMPILE_CACHE="$0.compiled"\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'

/**
 * An environment in which `npx` starts the suite at once. The true one takes more CPU for a start than a run of the suite.
 * `closing` gets what removes it.
 */
export const quickNpx = (closing: Array<() => unknown>): NodeJS.ProcessEnv => {
  const folder = mkdtempSync(join(tmpdir(), 'npx-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'npx'), NPX, { mode: 0o755 })
  const path = execFileSync('npx', ['-y', '-p', 'node@24', '-p', SUITE, '-c', 'printenv PATH'], { encoding: 'utf8' }).trim()
  return { ...process.env, PATH: `${folder}:${path}` }
}
