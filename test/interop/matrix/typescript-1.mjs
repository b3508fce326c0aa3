// The official TypeScript client 1.32 as a command for `grade`: lists, calls, reads and ends. Failures end it in words.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { authorization } from './authorization.mjs'
import { runAsCommand, work } from './work.mjs'

/** One run of it; see `taskOf`. */
export const run = (task) => {
  const { options: more, withAuthorization } = authorization(task)
  const options = { timeout: 4000 }
  let client
  let transport
  /** A transport that was refused cannot be used again. */
  const connect = async () => {
    client = new Client(
      { name: 'typescript-1', version: '1.32.2' }, { capabilities: { sampling: {}, elicitation: { form: { applyDefaults: true } }, roots: {} } }
    )
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } }))
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: task.answer }))
    client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: [{ uri: 'file:///tmp/project' }] }))
    client.onerror = (error) => { task.complain(`client.onerror: ${error.message}`) }
    transport = new StreamableHTTPClientTransport(task.url, { requestInit: { headers: task.headers }, ...more })
    await client.connect(transport, options)
  }
  const finish = (answer) => transport.finishAuth(answer.get('code'))
  const allowed = (run) => withAuthorization(run, finish)
  return work({
    connect: () => allowed(connect),
    listTools: (params) => allowed(() => client.listTools(params, options)),
    callTool: (name, args) => allowed(() => client.callTool({ name, arguments: args }, undefined, { ...options, onprogress: () => {} })),
    listResources: (params) => allowed(() => client.listResources(params, options)),
    readResource: (uri) => allowed(() => client.readResource({ uri }, options)),
    end: async () => {
      await transport.terminateSession()
      await client.close()
    },
    close: () => client.close()
  }, task)
}

await runAsCommand(import.meta.url, run)
