/**
 * Records the surface of a release, which later changes are compared with:
 * `node scripts/test/run-compiled.mjs scripts/release/record-surface.ts`. Refused while the newest part of the changelog is unreleased,
 * unless nothing has been released before.
 */
import '../ready.mjs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../test/compile.mjs'
import { readChangelog } from './changes.js'
import { readSurface } from './surface.js'

const { isUnreleased, hasRelease } = readChangelog(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'))
if (isUnreleased && hasRelease) {
  console.error('The newest part of CHANGELOG.md is unreleased: what is recorded is the surface of the last release.')
  process.exit(1)
}
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
await writeFile(join(ROOT, 'test/release/surface.json'), `${JSON.stringify({ version, surface: await readSurface() }, undefined, 2)}\n`)
