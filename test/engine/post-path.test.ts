// The way of a POST from Fastify's handler to a tool: a stack trace in the tool shows each function that it goes through.
import t from 'tap'
import { progress, result } from 'exploration-mcp/engine'
import { modern } from '../helpers/build.js'
import { serveApp, tool } from './serve.js'

const MOST = 8

/** The functions of the engine that wait for the caller, the innermost first. */
const functionsOfEngine = (): string[] => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = stackTraceLimit
  return stack.split('\n').filter((line) => line.includes('/src/engine/')).map((line) => line.trim())
}

t.test('at most eight functions lie between the handler and the tool, whatever was waited for', async (t) => {
  const seen: string[][] = []
  const look = () => { seen.push(functionsOfEngine()) }
  const app = await serveApp(t, {
    tools: [
      tool('plain', async () => {
        look()
        await Promise.resolve()
        look()
        return result({}, 'Done.')
      }),
      tool('notifying', async function * () {
        look()
        yield progress(1)
        return result({}, 'Done.')
      })
    ]
  })
  for (const name of ['plain', 'notifying']) t.equal((await modern(app, undefined, 'tools/call', { name })).status, 200)
  t.equal(seen.length, 3)
  for (const functions of seen) {
    t.match(functions.at(-1), /mcp-endpoint/, 'the trace reaches the handler')
    t.ok(functions.length <= MOST, functions.join('\n'))
  }
})
