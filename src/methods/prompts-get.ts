/** One prompt with its arguments filled in: 2026-07-28 server/prompts#getting-a-prompt. */
import type { Step } from '../call.js'
import { Fault, Refusal } from '../errors.js'
import { isObject } from '../rpc/parse.js'
import type { PromptResult } from '../prompts/prompt.js'
import type { Method, MethodResult } from './method.js'

export const getPrompt: Method = ({ name, arguments: input = {} }, call, { prompts }) => {
  if (typeof name !== 'string') throw new Fault('invalid_params', '"params.name" is the name of a prompt, as prompts/list shows it.')
  if (!isObject(input) || !Object.values(input).every((value) => typeof value === 'string')) {
    throw new Fault('invalid_params', '"params.arguments" maps names to strings.')
  }
  const work = refusing(() => prompts?.get(name, input as Record<string, string>, call))
  if (!work) throw new Fault('invalid_params', 'There is no prompt of this name. prompts/list shows what there is.')
  return Symbol.asyncIterator in work ? stepped(work) : work.then(framed)
}

async function * stepped (work: AsyncGenerator<Step, PromptResult, unknown>): AsyncGenerator<Step, MethodResult, unknown> {
  return framed(yield * work)
}

const framed = (result: PromptResult): MethodResult => ({ result: { ...result } })

const refusing = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw error instanceof Refusal ? new Fault('invalid_params', error.message) : error
  }
}
