/** Suggests values for variables of templates and arguments of prompts: 2026-07-28 server/utilities/completion */
import { requireParams } from '../../lib/errors.js'
import { isObject } from '../../lib/json/json-object.js'
import type { Variables } from '../resources/resource.js'
import type { Method } from './method.js'
import { rejectRefusal } from './guards.js'

const MAX_VALUES = 100
const MAX_LENGTH = 1000

export const completeArgument: Method = async (
  { ref, argument, context: completionContext }, context, { resources, prompts }
) => {
  requireParams(
    isArgument(argument), '"params.argument" is {"name", "value"}, both strings of at most 1,000 characters.')
  const { name, value } = argument
  const otherArguments = otherArgumentsOf(completionContext)
  const values = isReference(ref, 'ref/resource', 'uri')
    ? await resources.complete(ref.uri, name, value, otherArguments, context).catch(rejectRefusal)
    : isReference(ref, 'ref/prompt', 'name') && prompts
      ? await prompts.complete(ref.name, name, value, otherArguments, context).catch(rejectRefusal)
      : undefined
  const orPrompt = prompts ? ', or {"type": "ref/prompt", "name"}' : ''
  requireParams(values !== undefined, `"params.ref" names nothing that has "${name}". It is {"type": "ref/resource", ` +
    `"uri"}, with a template as resources/templates/list shows it${orPrompt}.`)
  return { result: { completion: { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES } } }
}

const isReference = <Type extends string, Key extends string>(
  ref: unknown, type: Type, key: Key
): ref is Record<Key, string> =>
    isObject(ref) && ref['type'] === type && isShortString(ref[key])

const isArgument = (argument: unknown): argument is { name: string, value: string } =>
  isObject(argument) && isShortString(argument['name']) && isShortString(argument['value'])

const isShortString = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_LENGTH

const otherArgumentsOf = (context: unknown): Variables => {
  if (context === undefined) return {}
  const otherArguments = isObject(context) ? context['arguments'] ?? {} : undefined
  requireParams(isVariables(otherArguments), '"params.context.arguments" maps names to strings.')
  return otherArguments
}

const isVariables = (value: unknown): value is Variables =>
  isObject(value) && Object.values(value).every(isShortString)
