/** The methods of prompts: 2026-07-28 server/prompts. */
import { Fault } from '../../lib/errors.js'
import { supports } from '../revisions.js'
import type { Method, MethodResult } from './method.js'
import type { RequestContext, HandlerEvent } from '../request-context.js'
import { isObject } from '../../lib/json/json-object.js'
import type { PromptDefinition } from '../prompts/prompt-registry.js'
import type { PromptResult } from '../prompts/prompt.js'
import { downgradeContent } from './downgrade-content.js'
import { rejectRefusal } from './guards.js'

const HOUR = 3_600_000

/**
 * Returns all prompts on one page.
 * @throws {Fault} `invalid_params` for a cursor
 */
export const listPrompts: Method = async (params, context, { prompts, showEntries }) => {
  if (params['cursor'] !== undefined) {
    throw new Fault('invalid_params', 'The list of prompts has one page: leave the cursor out.')
  }
  const all = prompts?.definitions ?? []
  const definitions = await showEntries?.('prompts/list', all, ({ name }) => name, context) ?? all
  return {
    result: { prompts: definitions.map((definition) => shaped(definition, context.revision)) },
    cache: { ttlMs: HOUR, scope: 'public' }
  }
}

/** Leaves out what the caller's revision does not have. */
const shaped = (definition: PromptDefinition, revision: string): PromptDefinition => {
  if (supports(revision, 'icons')) return definition
  const { icons, ...known } = definition
  if (supports(revision, 'titles')) return known
  const { title, ...rest } = known
  return rest
}

/**
 * Gets a prompt by its name.
 * @throws {Fault} `invalid_params` for an unknown prompt, malformed arguments, or what the prompt refuses
 */
export const getPrompt: Method = ({ name, arguments: input = {} }, context, { prompts }) => {
  if (typeof name !== 'string') {
    throw new Fault('invalid_params', '"params.name" is the name of a prompt, as prompts/list shows it.')
  }
  if (!isStringRecord(input)) {
    throw new Fault('invalid_params', '"params.arguments" maps names to strings.')
  }
  const work = refusing(() => prompts?.get(name, input, context))
  if (!work) throw new Fault('invalid_params', 'There is no prompt of this name. prompts/list shows what there is.')
  return Symbol.asyncIterator in work
    ? stepped(work, context)
    : work.then((result) => framed(result, context)).catch(rejectRefusal)
}

async function * stepped (
  work: AsyncGenerator<HandlerEvent, PromptResult, unknown>, context: RequestContext
): AsyncGenerator<HandlerEvent, MethodResult, unknown> {
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

const refusing = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    return rejectRefusal(error)
  }
}

const isStringRecord = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((text) => typeof text === 'string')
