// The official TypeScript client 2.4 as a command for `grade`, negotiating; MODE=legacy begins with the handshake.
import * as v2 from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { ANSWER, HEADERS, URL_OF_SERVER, work } from './work.mjs'

const negotiation = process.env.MODE === 'legacy' ? {} : { versionNegotiation: { mode: 'auto' } }
const client = new v2.Client(
  { name: 'typescript-2', version: '2.4.0' }, { capabilities: { sampling: {}, elicitation: { form: { applyDefaults: true } }, roots: {} }, ...negotiation }
)
client.setRequestHandler('sampling/createMessage', async () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } }))
client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: ANSWER }))
client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///tmp/project' }] }))
client.onerror = (error) => { console.error(`client.onerror: ${error.message}`) }
const transport = new v2.StreamableHTTPClientTransport(URL_OF_SERVER, {
  requestInit: { headers: HEADERS }
})
const options = { timeout: 4000 }
const host = new SkillsClient(client)
await work({
  connect: () => client.connect(transport, options),
  listTools: (params) => client.listTools(params, options),
  callTool: (name, args) => client.callTool({ name, arguments: args }, { ...options, onprogress: () => {} }),
  listResources: (params) => client.listResources(params, options),
  readResource: (uri) => client.readResource({ uri }, options),
  listSkills: async () => host.supported ? (await host.list({}, options)).skills : [],
  readSkill: async (skill, path) => (await host.read(skill, path, options)).text,
  end: async () => {
    await transport.terminateSession?.()
    await client.close()
  }
})
