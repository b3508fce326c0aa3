/** The tools of the official suite that are about streams: logs, lost connections, changes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { HandlerEvent, MemoryChanges, Tool } from 'exploration-mcp/engine'
import { said, tool } from './tools.js'

export interface StreamServices { changes: MemoryChanges }

const log = (data: string): HandlerEvent => ({ kind: 'log', level: 'info', data })

async function * logging () {
  yield log('Started')
  yield log('Working')
  yield log('Done')
  return said('Logged three times.')
}

async function * reconnection () {
  yield { kind: 'release', retryMs: 500 } as const
  await pause(100)
  return said('You came back.')
}

export const streamTools: ReadonlyArray<Tool<never, StreamServices>> = [
  tool('test_tool_with_logging', 'Writes to the client\'s log.', logging),
  tool('test_logging_tool', 'Writes to the log of a client that asks for it.', logging),
  tool('test_reconnection', 'Lets the connection go before it is done.', reconnection),
  ...(['tool', 'prompt'] as const).map((kind) => tool<never, StreamServices>(
    `test_trigger_${kind}_change`, `The list of ${kind}s changes.`, async (_input, { changes }) => {
      changes.announce({ kind: 'list', list: `${kind}s` })
      return said('Changed.')
    }))
]
