/** One prompt with its arguments filled in: 2026-07-28 server/prompts#getting-a-prompt. */
import type { Call, Step } from '../request-context.js'
import { Fault, Refusal } from '../../lib/errors.js'
import { isObject } from '../jsonrpc/parse.js'
import type { PromptResult } from '../prompts/prompt.js'
import type { Method, MethodResult } from './method.js'
import { shapedContent } from './downgrade-content.js'

export const getPrompt: Method = ({ name, arguments: input = {} }, call, { prompts }) => {
  if (typeof name !== 'string') throw new Fault('invalid_params', '"params.name" is the name of a prompt, as prompts/list shows it.')
  if (!isObject(input) || !Object.values(input).every((value) => typeof value === 'string')) {
    throw new Fault('invalid_params', '"params.arguments" maps names to strings.')
  }
  const work = refusing(() => prompts?.get(name, input as Record<string, string>, call))
  if (!work) throw new Fault('invalid_params', 'There is no prompt of this name. prompts/list shows what there is.')
  return Symbol.asyncIterator in work ? stepped(work, call) : work.then((result) => framed(result, call))
}

async function * stepped (work: AsyncGenerator<Step, PromptResult, unknown>, call: Call): AsyncGenerator<Step, MethodResult, unknown> {
  return framed(yield * work, call)
}

const framed = (result: PromptResult, { revision }: Call): MethodResult => ({
  result: { ...result, messages: result.messages.map((message) => ({ ...message, content: shapedContent(message.content, revision) })) }
})

const refusing = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw error instanceof Refusal ? new Fault('invalid_params', error.message) : error
  }
}
