// Two agents' command lines work through a plan where agents report. A scripted model stands for the one that they would ask.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { useShared } from '../shared.mjs'
import { makePlans } from '../twelve-items.mjs'
import { whySkipped } from './command-lines.mjs'
import { makeHome } from './home.mjs'
import { startModel } from './scripted-model.mjs'

const PROMPT = 'Work through the plan.'

/** How each is pointed at the model, and how it is asked to work without a person. */
const AGENTS = {
  'claude-code': {
    // It waits for the tools before it asks, and offers all of them.
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', MCP_CONNECTION_NONBLOCKING: 'false', ENABLE_TOOL_SEARCH: 'false' }),
    ask: ['--print', PROMPT, '--model', 'scripted', '--allowedTools', 'mcp__exploration'],
    client: /^claude-code\//
  },
  opencode: {
    env: (url) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: { scripted: { npm: '@ai-sdk/openai-compatible', options: { baseURL: url, apiKey: 'none' }, models: { scripted: { tool_call: true } } } }
      })
    }),
    ask: ['run', '--model', 'scripted/scripted', '--auto', PROMPT],
    client: /^opencode\//
  }
}

describe('a plan of twelve items, by a command line', () => {
  const used = useShared()
  let plans
  let there
  before(async () => {
    plans = await makePlans(used.product, Object.keys(AGENTS).length)
    there = await makeHome(Object.keys(AGENTS), { url: used.product.url, key: plans.key })
  })
  after(() => there?.remove())

  for (const [index, [id, { env, ask, client }]] of Object.entries(AGENTS).entries()) {
    test(id, { skip: whySkipped(id) }, async (t) => {
      assert.equal(there.registered(id).secret, 'token')
      const plan = plans.ids[index]
      const model = await startModel(plan)
      t.after(model.stop)
      assert.match(await there.say(id, ask, env(model.url)), /All done\./)
      await plans.assertDone(plan, client)
    })
  }
})
