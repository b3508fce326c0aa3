/** The tools of the official suite that are about streams: logs, lost connections, changes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { HandlerEvent, MemoryChanges, Tool, ToolResult } from 'exploration-mcp/engine'

export interface StreamServices { changes: MemoryChanges }

const tool = (
  name: string, description: string, run: Tool<never, StreamServices>['run']
): Tool<never, StreamServices> =>
  ({ name, title: name, description, scope: 'read', input: { type: 'object', additionalProperties: false }, run })

const saying = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })
const log = (data: string): HandlerEvent => ({ kind: 'log', level: 'info', data })

async function * logging () {
  yield log('Started')
  yield log('Working')
  yield log('Done')
  return saying('Logged three times.')
}

async function * reconnection () {
  yield { kind: 'release', retryMs: 500 } as const
  await pause(100)
  return saying('You came back.')
}

export const streamTools: ReadonlyArray<Tool<never, StreamServices>> = [
  tool('test_tool_with_logging', 'Writes to the client\'s log.', logging),
  tool('test_logging_tool', 'Writes to the log of a client that asks for it.', logging),
  tool('test_reconnection', 'Lets the connection go before it is done.', reconnection),
  tool('test_trigger_tool_change', 'The list of tools changes.', async (_input, { changes }) => {
    changes.announce({ kind: 'list', list: 'tools' })
    return saying('Changed.')
  }),
  tool('test_trigger_prompt_change', 'The list of prompts changes.', async (_input, { changes }) => {
    changes.announce({ kind: 'list', list: 'prompts' })
    return saying('Changed.')
  })
]
