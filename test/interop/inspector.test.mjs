// The command line of the MCP Inspector, which needs a newer Node than the product does.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { SKILLS, TOOLS } from './conversation.mjs'
import { INSPECTOR, newerNode } from './newer-node.mjs'
import { useShared } from './shared.mjs'

describe("the Inspector's command line", () => {
  const used = useShared()

  /** What it prints: one line of JSON, or several. */
  const inspect = async (...args) => {
    const { stdout } = await promisify(execFile)('node', [INSPECTOR, '--cli', used.product.url, '--transport', 'http',
      '--header', `Authorization: Bearer ${used.product.key}`, ...args], { env: newerNode(), maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  }

  test('MCP Inspector 2.12, --cli', async () => {
    const ask = async (method, ...args) => JSON.parse(await inspect('--method', method, ...args))
    assert.equal((await ask('tools/list')).tools.length, TOOLS.length)
    const called = await ask('tools/call', '--tool-name', 'find_explorations', '--tool-arg', 'query=partial refunds')
    assert.ok(called.structuredContent.explorations.length > 0)
    const { resources } = await ask('resources/list')
    assert.ok(resources.length > 1)
    assert.ok((await ask('resources/read', '--uri', resources[0].uri)).contents.length > 0)
    assert.equal((await ask('resources/templates/list')).resourceTemplates.length, 3)
  })

  test('MCP Inspector 2.12 lists and verifies the skills', async () => {
    const verified = (await inspect('--protocol-era', 'modern', '--method', 'skills/list', '--verify', '--require-digests')).split('\n').map((line) => JSON.parse(line))
    assert.deepEqual(verified.map(({ name, ok, outcome, frontmatter, conformance }) => ({ name, ok, outcome, frontmatter, conformance })),
      SKILLS.map((name) => ({ name, ok: true, outcome: 'verified', frontmatter: [], conformance: [] })))
  })
})
