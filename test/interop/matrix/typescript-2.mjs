// The official TypeScript client 2.4 as a command for `grade`, negotiating; MODE=legacy begins with the handshake.
import * as v2 from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { authorization } from './authorization.mjs'
import { runAsCommand, work } from './work.mjs'

/** One run of it; see `taskOf`. */
export const run = (task) => {
  const negotiation = task.isLegacy ? {} : { versionNegotiation: { mode: 'auto' } }
  const { options: more, withAuthorization } = authorization(task)
  const options = { timeout: 4000 }
  let client
  let transport
  let host
  /** A transport that was refused cannot be used again. */
  const connect = async () => {
    client = new v2.Client(
      { name: 'typescript-2', version: '2.4.0' }, { capabilities: { sampling: {}, elicitation: { form: { applyDefaults: true } }, roots: {} }, ...negotiation }
    )
    client.setRequestHandler('sampling/createMessage', async () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } }))
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: task.answer }))
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///tmp/project' }] }))
    client.onerror = (error) => { task.complain(`client.onerror: ${error.message}`) }
    host = new SkillsClient(client)
    transport = new v2.StreamableHTTPClientTransport(task.url, { requestInit: { headers: task.headers }, ...more })
    await client.connect(transport, options)
  }
  const allowed = (run) => withAuthorization(run, (answer) => transport.finishAuth(answer))
  return work({
    connect: () => allowed(connect),
    listTools: (params) => allowed(() => client.listTools(params, options)),
    callTool: (name, args) => allowed(() => client.callTool({ name, arguments: args }, { ...options, onprogress: () => {} })),
    listResources: (params) => allowed(() => client.listResources(params, options)),
    readResource: (uri) => allowed(() => client.readResource({ uri }, options)),
    listSkills: () => allowed(async () => host.supported ? (await host.list({}, options)).skills : []),
    readSkill: (skill, path) => allowed(async () => (await host.read(skill, path, options)).text),
    end: async () => {
      await transport.terminateSession?.()
      await client.close()
    },
    close: () => client.close()
  }, task)
}

await runAsCommand(import.meta.url, run)
