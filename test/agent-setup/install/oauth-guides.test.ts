/** How agents and applications are connected to the address where people sign in: the wire of their tables. */
import t from 'tap'
import { hostedGuideFor, oauthGuideFor } from '../../../src/agent-setup/install/guide.js'
import { hostedApplications } from '../../../src/agent-setup/registry/hosted-applications.js'
import { agents } from '../../../src/agent-setup/registry/known-agents.js'

const url = 'https://planning.example/oauth/mcp'
const options = { name: 'exploration', url }
const guides = Object.fromEntries(agents.flatMap((agent) => {
  const guide = oauthGuideFor(agent, options)
  return guide ? [[agent.id, guide]] : []
}))

t.test('the agents that sign people in', async (t) => {
  t.strictSame(Object.keys(guides),
    ['claude-code', 'cursor', 'vscode', 'codex', 'gemini', 'zed', 'opencode', 'copilot'])
  for (const [id, guide] of Object.entries(guides)) {
    t.notMatch(JSON.stringify(guide), /authorization|<\w+>|svc_/i, `${id}: no secret, no blank`)
    t.match(guide.snippet, url, id)
    if (guide.command !== undefined) t.match(guide.command, url, id)
    t.not(guide.next_step, '', id)
  }
})

t.test('entries', async (t) => {
  const file = (id: string): unknown => JSON.parse(guides[id]?.snippet ?? '')
  t.strictSame(file('claude-code'), { mcpServers: { exploration: { type: 'http', url } } })
  t.strictSame(file('vscode'), { servers: { exploration: { type: 'http', url } } })
  t.strictSame(file('opencode'), { mcp: { exploration: { type: 'remote', url, enabled: true } } }, 'OAuth is not turned off')
  t.match(guides['codex']?.snippet, /^\[mcp_servers\.exploration\]\nurl = "https:/)
})

t.test('links that open the agent', async (t) => {
  const cursor = new URL(guides['cursor']?.link ?? '')
  t.equal(cursor.protocol, 'cursor:')
  t.equal(cursor.searchParams.get('name'), 'exploration')
  t.strictSame(JSON.parse(Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString()), { url })
  const vscode = guides['vscode']?.link ?? ''
  t.match(vscode, /^vscode:mcp\/install\?/)
  t.strictSame(JSON.parse(decodeURIComponent(vscode.slice(vscode.indexOf('?') + 1))),
    { name: 'exploration', type: 'http', url })
})

t.test('applications that run elsewhere take the address alone', async (t) => {
  t.strictSame(hostedApplications.map(({ id }) => id), ['claude-ai', 'chatgpt'])
  for (const application of hostedApplications) {
    t.match(hostedGuideFor(application, options), { instructions: url, snippet: null, next_step: /asks whether to allow/ })
  }
})
