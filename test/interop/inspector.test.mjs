// The command line of the MCP Inspector, which needs a newer Node than the product does.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { TOOLS } from './conversation.mjs'
import { newerNode } from './newer-node.mjs'
import { sharedProduct } from './shared.mjs'

const INSPECTOR = fileURLToPath(new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url))

describe("the Inspector's command line", () => {
  let product
  before(async () => { product = await sharedProduct() })
  after(async () => { await product?.stop() })

  const inspect = async (...args) => {
    const { stdout } = await promisify(execFile)('node', [INSPECTOR, '--cli', product.url, '--transport', 'http',
      '--header', `Authorization: Bearer ${product.key}`, ...args], { env: newerNode(), maxBuffer: 64 * 1024 * 1024 })
    return JSON.parse(stdout)
  }

  test('MCP Inspector 2.12, --cli', async () => {
    assert.equal((await inspect('--method', 'tools/list')).tools.length, TOOLS.length)
    const called = await inspect('--method', 'tools/call', '--tool-name', 'find_explorations', '--tool-arg', 'query=partial refunds')
    assert.ok(called.structuredContent.explorations.length > 0)
    const { resources } = await inspect('--method', 'resources/list')
    assert.ok(resources.length > 1)
    assert.ok((await inspect('--method', 'resources/read', '--uri', resources[0].uri)).contents.length > 0)
    assert.equal((await inspect('--method', 'resources/templates/list')).resourceTemplates.length, 3)
  })
})
