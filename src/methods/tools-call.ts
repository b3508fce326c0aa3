/** Calls a tool. What the model did wrong is a result with `isError: true`; what the program did wrong is a fault. */
import type { Call, Step } from '../call.js'
import { Fault, Refusal } from '../errors.js'
import { kept } from '../kept.js'
import { has } from '../revisions.js'
import { isObject } from '../rpc/parse.js'
import type { ToolResult } from '../tools/tool.js'
import type { Method, MethodResult } from './method.js'
import { shapedContents } from './shaped-content.js'

export const callTool: Method = (params, call, { tools }) => {
  const { name, arguments: input = {} } = params
  if (typeof name !== 'string') throw new Fault('invalid_params', '"params.name" is the name of a tool, as tools/list shows it.')
  const tool = tools.get(name, call.principal.credential.scope)
  // 2026-07-28 server/tools#error-handling: an unknown tool is a protocol error
  if (!tool) throw new Fault('invalid_params', `There is no tool of this name. tools/list shows: ${tools.names.join(', ')}.`)
  if (!isObject(input)) throw new Fault('invalid_params', '"params.arguments" is an object.')

  const checked = tool.check(input)
  if (!checked.ok) return Promise.resolve(framed(refused(`Invalid arguments for ${name}: ${checked.faults.join('. ')}.`), call))
  const work = tool.run(checked.value, call)
  return Symbol.asyncIterator in work ? streamed(work, call) : settled(work, call)
}

const settled = async (work: Promise<ToolResult>, call: Call): Promise<MethodResult> => {
  try {
    return framed(await work, call)
  } catch (error) {
    return framed(toResult(error), call)
  }
}

async function * streamed (work: AsyncGenerator<Step, ToolResult, unknown>, call: Call): AsyncGenerator<Step, MethodResult, unknown> {
  try {
    return framed(yield * work, call)
  } catch (error) {
    return framed(toResult(error), call)
  }
}

const toResult = (error: unknown): ToolResult => {
  if (error instanceof Refusal) return refused(error.message)
  throw error
}

const refused = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })

const constants = kept<ToolResult, MethodResult>()

const framed = (result: ToolResult, { revision }: Call): MethodResult =>
  result.constant ? constants(result, revision, () => ({ ...frame(result, revision), constant: true })) : frame(result, revision)

const frame = ({ structuredContent, content, constant, ...rest }: ToolResult, revision: string): MethodResult => ({
  result: {
    ...rest,
    content: shapedContents(content, revision),
    ...(structuredContent && has(revision, 'structuredOutput') && { structuredContent })
  }
})
