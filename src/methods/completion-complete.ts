/** Suggests values for the variables of resource templates: 2026-07-28 server/utilities/completion. */
import { Fault } from '../errors.js'
import { isObject } from '../rpc/parse.js'
import type { Variables } from '../resources/resource.js'
import type { Method } from './method.js'

const MAX_VALUES = 100
const MAX_LENGTH = 1000

export const completeArgument: Method = async ({ ref, argument, context }, call, { resources }) => {
  if (!isObject(ref) || ref['type'] !== 'ref/resource' || typeof ref['uri'] !== 'string') {
    throw new Fault('invalid_params', '"params.ref" is {"type": "ref/resource", "uri": a template that resources/templates/list shows}; there are no prompts.')
  }
  if (!isObject(argument) || !isShortString(argument['name']) || !isShortString(argument['value'])) {
    throw new Fault('invalid_params', '"params.argument" is {"name", "value"}, both strings of at most 1,000 characters.')
  }
  const values = await resources.complete(ref['uri'], argument['name'], argument['value'], knownOf(context), call)
  if (!values) {
    throw new Fault('invalid_params', `There is no template ${JSON.stringify(ref['uri'].slice(0, MAX_LENGTH))} with a variable "${argument['name']}". resources/templates/list shows what there is.`)
  }
  return { result: { completion: { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES } } }
}

const isShortString = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_LENGTH

const knownOf = (context: unknown): Variables => {
  if (context === undefined) return {}
  const known = isObject(context) ? context['arguments'] ?? {} : undefined
  if (!isObject(known) || !Object.values(known).every(isShortString)) {
    throw new Fault('invalid_params', '"params.context.arguments" maps names to strings.')
  }
  return known as Variables
}
