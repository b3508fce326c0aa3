/** The tools of the official suite that go on as tasks. */
import { setTimeout as pause } from 'node:timers/promises'
import { Fault, progress, Refusal, requestInput, type Tool } from 'exploration-mcp/engine'
import { elicitation } from './input-tools.js'
import { said, tool } from './tools.js'

const later = { kind: 'task' } as const

const string = { type: 'string' } as const
const taking = (properties: Record<string, { type: 'string' | 'number' }>) => ({ type: 'object', properties } as const)
const name = elicitation('What is your name?', { name: string })
const confirm = (message: string) => elicitation(message, { confirm: { type: 'boolean' } })
const contentOf = (answer: unknown): Record<string, unknown> =>
  (answer as { content?: Record<string, unknown> }).content ?? {}

export const taskTools: ReadonlyArray<Tool<never>> = [
  tool('greet', 'Greets at once.', async ({ name }: { name: string }) => said(`Hello, ${name}!`), taking({ name: string })),
  tool('slow_compute', 'Takes its time.', async function * ({ seconds, label }: { seconds: number, label?: string }, { signal }) {
    yield later
    yield progress(0, seconds, `Computing ${label ?? ''}`)
    await pause(seconds * 1000, undefined, { signal })
    return said(`Computed ${label ?? ''} in ${seconds} s.`)
  }, taking({ seconds: { type: 'number' }, label: string })),
  tool('failing_job', 'Ends with an error of the tool.', async function * () {
    yield { kind: 'task', required: true }
    throw new Refusal('The job failed.')
  }),
  tool('protocol_error_job', 'Ends with an error of the protocol.', async function * () {
    yield later
    throw new Fault('internal_error', 'The job broke down.')
  }),
  tool('confirm_delete', 'Asks before it deletes.', async function * ({ filename }: { filename: string }) {
    yield later
    const { confirm: answer } = yield * requestInput({ confirm: confirm(`Delete ${filename}?`) })
    return said(contentOf(answer)['confirm'] === true ? `Deleted ${filename}.` : `Kept ${filename}.`)
  }, taking({ filename: string })),
  tool('multi_input', 'Asks two things at once.', async function * () {
    yield later
    const answers = yield * requestInput({ first: name, second: confirm('Sure?') })
    return said(JSON.stringify(Object.values(answers).map(contentOf)))
  }),
  tool('test_tool_with_task', 'Asks first, then takes its time.', async function * () {
    const { user_name: answer } = yield * requestInput({ user_name: name })
    yield { kind: 'task', required: true }
    await pause(50)
    return said(`Hello, ${String(contentOf(answer)['name'])}!`)
  })
]
