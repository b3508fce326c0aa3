// The official Python client, in an environment of its own, where there is a Python to run it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { useShared } from './shared.mjs'

const run = promisify(execFile)
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const PYTHON = here('.venv/bin/python')

/** Why there is no client, if so. */
const missing = await (async () => {
  try {
    if (existsSync(PYTHON)) return false
    await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 10)'])
    // The pip that there is, where there is one: to install another takes as long as the client, and to compile what no one imports as well.
    const hasPip = await run('python3', ['-m', 'pip', '--version']).then(() => true, () => false)
    await run('python3', ['-m', 'venv', ...hasPip ? ['--without-pip'] : [], here('.venv')])
    const [python, ...pip] = hasPip ? ['python3', '-m', 'pip', '--python', PYTHON] : [PYTHON, '-m', 'pip']
    await run(python, [...pip, 'install', '--quiet', '--disable-pip-version-check', '--no-compile', '--retries', '1', '--timeout', '10', '-r', here('requirements.txt')], { timeout: 240_000 })
    return false
  } catch (error) {
    return `the client cannot be installed here: ${String(error.stderr ?? error.message).trim().split('\n').at(-1)}`
  }
})()

describe('the Python client', () => {
  const used = useShared({ skip: missing !== false })

  test('mcp 2.3, the Python client', { skip: missing }, async () => {
    const { stdout } = await run(PYTHON, [here('client.py'), used.product.url], { env: { ...process.env, EXPLORATION_MCP_TOKEN: used.product.key } })
    const [negotiated, old] = JSON.parse(stdout)
    assert.deepEqual([negotiated.version, old.version], ['2026-07-28', '2025-11-25'])
    for (const said of [negotiated, old]) {
      assert.deepEqual([said.tools, said.workspaces, said.refused], [8, 3, true])
      assert.ok(said.resources >= 4 && said.explorations > 0 && said.progress > 0, stdout)
    }
  })
})
