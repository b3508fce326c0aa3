/** What a client answers when a server asks it: the shape that each method has, and the form that was sent. */
import { asObject, type JsonObject } from '../../lib/json/json-object.js'
import { lazyValidator, type Validation } from '../../lib/schema/validator.js'

export interface RequestToClient {
  method: string
  capability?: string
  params: JsonObject
}

export const NAME_FORM: RequestToClient = {
  method: 'elicitation/create',
  capability: 'elicitation',
  params: {
    mode: 'form',
    message: 'What is your name?',
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        age: { type: 'number', minimum: 0 },
        plan: { type: 'string', enum: ['small', 'large'] },
        news: { type: 'boolean', default: false }
      },
      required: ['name']
    }
  }
}

const isOfClass = { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] }
const form = asObject(NAME_FORM.params['requestedSchema'])

/** The results of the methods, as the schemas of both revisions have them. */
const RESULTS: Readonly<Record<string, (value: unknown) => Validation<unknown>>> = {
  ping: lazyValidator({ type: 'object' }),
  'elicitation/create': lazyValidator({
    type: 'object',
    required: ['action'],
    properties: { action: { enum: ['accept', 'decline', 'cancel'] } },
    if: { type: 'object', properties: { action: { const: 'accept' } }, required: ['action'] },
    then: { type: 'object', required: ['content'], properties: { content: form } }
  }),
  'sampling/createMessage': lazyValidator({
    type: 'object',
    required: ['role', 'content', 'model'],
    properties: {
      role: { enum: ['user', 'assistant'] },
      content: { anyOf: [isOfClass, { type: 'array', items: isOfClass }] },
      model: { type: 'string' }
    }
  }),
  'roots/list': lazyValidator({
    type: 'object',
    required: ['roots'],
    properties: {
      roots: {
        type: 'array',
        items: { type: 'object', properties: { uri: { type: 'string', pattern: '^file://' } }, required: ['uri'] }
      }
    }
  })
}

/** Says what is wrong with the result of a request to a client; undefined when it fits its method and its form. */
export const faultOfAnswer = (method: string, result: unknown): string | undefined => {
  const checked = RESULTS[method]?.(structuredClone(result))
  return checked === undefined || checked.ok ? undefined : `Its answer to ${method}: ${checked.faults.join(' ')}`
}
