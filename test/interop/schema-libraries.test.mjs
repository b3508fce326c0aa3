// Schemas of zod, Valibot and ArkType, and two servers in one app, with the packed engine in an empty folder.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { installEngine } from '../helpers/engine-package.mjs'

const LIBRARIES = ['zod', 'valibot', '@valibot/to-json-schema', 'arktype']

test('tools with schemas of libraries, in two servers of one app', async (t) => {
  const engine = await installEngine({ program: 'test/interop/schema-libraries.ts', packages: LIBRARIES })
  t.after(() => engine.remove())
  // Without the variable it is a run of its own, which says in words how it went.
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, ['schema-libraries.js'], { cwd: engine.folder, encoding: 'utf8', env })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /# pass 6\n# fail 0/)
})
