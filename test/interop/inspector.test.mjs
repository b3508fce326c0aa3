// The command line of the MCP Inspector, which needs a newer Node than the product does.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { SKILLS, TOOLS } from './conversation.mjs'
import { INSPECTOR, newerNode } from './newer-node.mjs'
import { useShared } from './shared.mjs'

/** Runs its command lines one after another in one process, as to load it computes for half a second, with a line of its own after each. */
const PROGRAM = `
const { runCli } = await import(process.env.INSPECTOR)
for (const words of JSON.parse(process.env.LINES)) {
  await runCli(['node', 'inspector', ...words])
  console.log('---')
}`

describe("the Inspector's command line", () => {
  const used = useShared()

  test('MCP Inspector 2.12, --cli: lists, calls and reads, and verifies the skills', async () => {
    const lines = [
      ['--method', 'tools/list'],
      ['--method', 'tools/call', '--tool-name', 'find_explorations', '--tool-arg', 'query=partial refunds'],
      ['--method', 'resources/list'],
      ['--method', 'resources/read', '--uri', 'service://workspaces'],
      ['--method', 'resources/templates/list'],
      ['--protocol-era', 'modern', '--method', 'skills/list', '--verify', '--require-digests']
    ].map((line) => [used.product.url, '--transport', 'http', '--header', `Authorization: Bearer ${used.product.key}`, ...line])
    const env = { ...newerNode(), INSPECTOR: new URL('../../cli/build/index.js', `file://${INSPECTOR}`).href, LINES: JSON.stringify(lines) }
    const { stdout } = await promisify(execFile)('node', ['--input-type=module', '-e', PROGRAM], { env, maxBuffer: 64 * 1024 * 1024 })
    // It prints one line of JSON, or several.
    const printed = stdout.split('---\n').slice(0, -1)
    const [{ tools }, called, { resources }, { contents }, { resourceTemplates }] = printed.slice(0, -1).map((text) => JSON.parse(text))
    assert.equal(tools.length, TOOLS.length)
    assert.ok(called.structuredContent.explorations.length > 0)
    assert.ok(resources.length > 1)
    assert.ok(contents.length > 0)
    assert.equal(resourceTemplates.length, 3)
    const verified = printed.at(-1).trim().split('\n').map((line) => JSON.parse(line))
    assert.deepEqual(verified.map(({ name, ok, outcome, frontmatter, conformance }) => ({ name, ok, outcome, frontmatter, conformance })),
      SKILLS.map((name) => ({ name, ok: true, outcome: 'verified', frontmatter: [], conformance: [] })))
  })
})
