// The official clients work through a plan where agents report, in both eras.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PINNED, SDK_1, withBearer } from './official-clients.mjs'
import { useShared } from './shared.mjs'
import { evidenceOf, makePlans } from './twelve-items.mjs'

describe('a plan of twelve items', () => {
  const used = useShared()
  let plans
  before(async () => { plans = await makePlans(used.product, 2) })

  const works = (title, index, { open }) => test(title, async () => {
    const plan = plans.ids[index]
    const { client, transport, revision, callTool } = open(used.product.url, withBearer(plans.key))
    await client.connect(transport)
    assert.equal(client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion, revision ?? '2025-11-25')
    // The clients compare answers with the output schemas of the tools that they have listed.
    assert.equal((await client.listTools()).tools.length, 14)
    const call = async (name, args) => {
      const { isError, content, structuredContent } = await callTool(name, { exploration_id: plan, ...args })
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
    await plans.assertDone(plan, /^typescript-\d\/1$/)
  })

  works('@modelcontextprotocol/sdk 1.32, revision 2025-11-25', 0, SDK_1)
  works('@modelcontextprotocol/client 2.4, revision 2026-07-28', 1, PINNED)
})
