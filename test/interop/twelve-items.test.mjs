// The official clients work through a plan where agents report, in both eras.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as v2 from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { evidenceOf, startWithPlans } from './twelve-items.mjs'

describe('a plan of twelve items', () => {
  let product
  before(async () => { product = await startWithPlans() })
  after(async () => { await product?.stop() })

  const works = (title, revision, makeClient, Transport) => test(title, async () => {
    const plan = await product.makePlan()
    const client = makeClient()
    const transport = new Transport(new URL(product.url), { requestInit: { headers: { Authorization: `Bearer ${product.key}` } } })
    await client.connect(transport)
    assert.equal(client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion, revision)
    // The clients compare answers with the output schemas of the tools that they have listed.
    assert.equal((await client.listTools()).tools.length, 14)
    const call = async (name, args) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: { exploration_id: plan, ...args } })
      assert.ok(!isError, JSON.stringify(content))
      return structuredContent
    }
    for (;;) {
      const { claimed, reason, item, briefing } = await call('claim_item')
      if (!claimed) {
        assert.equal(reason, 'nothing_ready')
        break
      }
      assert.ok(briefing.length > 0)
      const { written } = await call('report_progress', { item_id: item.id, status: 'done', evidence: evidenceOf(item.id), idempotency_key: `${plan} ${item.id}` })
      assert.equal(written, true)
    }
    const { items } = await call('get_planning_full')
    assert.deepEqual(items.map(({ status }) => status), Array(12).fill('done'))
    await client.close()
    await product.assertDone(plan, /^typescript-\d\/1$/)
  })

  works('@modelcontextprotocol/sdk 1.32, revision 2025-11-25', '2025-11-25', () => new ClientV1({ name: 'typescript-1', version: '1' }), TransportV1)
  works('@modelcontextprotocol/client 2.4, revision 2026-07-28', '2026-07-28', () => new v2.Client(
    { name: 'typescript-2', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }
  ), v2.StreamableHTTPClientTransport)
})
