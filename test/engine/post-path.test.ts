// The way of a POST from Fastify's handler to a tool: a stack trace in the tool shows each function that it goes through.
import fastify from 'fastify'
import t from 'tap'
import { createMcpPlugin, progress, type HandlerEvent, type Tool, type ToolResult } from 'exploration-mcp/engine'
import { BOTH, meta, MODERN } from '../helpers/build.js'

const MOST = 8

/** The functions of the engine that wait for the caller, the innermost first. */
const functionsOfEngine = (): string[] => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = stackTraceLimit
  return stack.split('\n').filter((line) => line.includes('/src/engine/')).map((line) => line.trim())
}

const DONE: ToolResult = { content: [{ type: 'text', text: 'Done.' }] }
const INPUT = { type: 'object' } as const

t.test('at most eight functions lie between the handler and the tool, whatever was waited for', async (t) => {
  let seen: string[][] = []
  const look = () => { seen.push(functionsOfEngine()) }
  const tools: Tool[] = [
    {
      name: 'plain',
      description: 'Is an async function.',
      input: INPUT,
      async run () {
        look()
        await Promise.resolve()
        look()
        return DONE
      }
    },
    {
      name: 'notifying',
      description: 'Is a generator.',
      input: INPUT,
      async * run (): AsyncGenerator<HandlerEvent, ToolResult, unknown> {
        look()
        yield progress(1)
        return DONE
      }
    }
  ]
  const app = fastify()
  await app.register(createMcpPlugin({ server: { name: 'frames', version: '1' }, tools }))
  t.teardown(() => app.close())

  const traced = async (name: string): Promise<string[][]> => {
    seen = []
    const params = { name, _meta: meta() }
    const headers = { accept: BOTH, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name }
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    })
    t.equal(statusCode, 200)
    return seen
  }

  for (const name of ['plain', 'notifying']) {
    for (const functions of await traced(name)) {
      t.match(functions.at(-1), /mcp-endpoint/, 'the trace reaches the handler')
      t.ok(functions.length <= MOST, functions.join('\n'))
    }
  }
})
