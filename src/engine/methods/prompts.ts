/** The methods of prompts: 2026-07-28 server/prompts. */
import { requireParams } from '../../lib/errors.js'
import type { Method, MethodResult } from './method.js'
import type { RequestContext, HandlerGenerator } from '../request-context.js'
import { isObject } from '../../lib/json/json-object.js'
import type { PromptResult } from '../prompts/prompt.js'
import { rejectRefusal } from './guards.js'
import { downgradeContent, requireOnePage, shaped } from './older-revisions.js'

const HOUR = 3_600_000

export const listPrompts: Method = async ({ cursor }, context, { prompts, showEntries }) => {
  requireOnePage(cursor, 'prompts')
  const all = prompts?.definitions ?? []
  const definitions = await showEntries?.('prompts/list', all, ({ name }) => name, context) ?? all
  return {
    result: { prompts: definitions.map((definition) => shaped(definition, context.revision)) },
    cache: { ttlMs: HOUR, scope: 'public' }
  }
}

/** @throws {Fault} `invalid_params` for an unknown prompt, malformed arguments, or what the prompt refuses */
export const getPrompt: Method = ({ name, arguments: input = {} }, context, { prompts }) => {
  requireParams(typeof name === 'string', '"params.name" is the name of a prompt, as prompts/list shows it.')
  requireParams(isStringRecord(input), '"params.arguments" maps names to strings.')
  let work
  try {
    work = prompts?.get(name, input, context)
  } catch (error) {
    return rejectRefusal(error)
  }
  requireParams(work !== undefined, 'There is no prompt of this name. prompts/list shows what there is.')
  return Symbol.asyncIterator in work
    ? stepped(work, context)
    : work.then((result) => framed(result, context)).catch(rejectRefusal)
}

async function * stepped (
  work: HandlerGenerator<PromptResult>, context: RequestContext
): HandlerGenerator<MethodResult> {
  try {
    return framed(yield * work, context)
  } catch (error) {
    return rejectRefusal(error)
  }
}

const framed = (result: PromptResult, { revision }: RequestContext): MethodResult => ({
  result: {
    ...result,
    messages: result.messages.map((message) => ({ ...message, content: downgradeContent(message.content, revision) }))
  }
})

const isStringRecord = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((text) => typeof text === 'string')
