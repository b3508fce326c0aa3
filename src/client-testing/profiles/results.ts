/** Profiles: what results of tools, and lists of tools, may and may not hold. */
import { withResult } from '../proxy/reply.js'
import { isRequest } from '../proxy/client-request.js'
import { asObject, isObject, type JsonObject } from '../../lib/json/json-object.js'
import { ILLEGAL, LEGAL } from './judges.js'
import type { Profile } from './profile.js'
import { changeReplies, isWork } from './targets.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

interface Change extends Pick<Profile, 'id' | 'happens' | 'expects' | 'legacy'> {
  /** The method whose results are changed; all requests after the handshake when absent. */
  method?: 'tools/call' | 'tools/list'
  change(result: JsonObject, marker: string): unknown
  illegal?: boolean
  level?: Profile['level']
}

const changed = (
  { method, change, illegal = false, level = illegal ? 'SHOULD' : 'MUST', ...rest }: Change
): Profile => ({
  ...(illegal ? ILLEGAL : LEGAL),
  ...rest,
  family: 'results',
  eras: ['legacy', 'modern'],
  ...(method === 'tools/call' && { needs: method }),
  level,
  modern: rest.legacy,
  create: ({ marker }) => changeReplies(rest.happens, (reply, call) =>
    isWork(call) && (method === undefined || isRequest(call, method))
      ? withResult(reply, call, (result) => change(result, marker))
      : undefined)
})

const toolsOf = ({ tools }: JsonObject): unknown[] => Array.isArray(tools) ? tools : []

const text = (words: string) => ({ type: 'text', text: words })

/** Adds fields that no revision knows to each object. Recursive: the value comes from the correct server. */
const withUnknownFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withUnknownFields)
  if (!isObject(value)) return value
  return {
    ...Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, FIXED.has(key) ? part : withUnknownFields(part)])
    ),
    xUnknown: { deep: [1, null] }
  }
}
// What a client may hold against a schema stays as it is.
const FIXED = new Set(['structuredContent', 'inputSchema', 'outputSchema', '_meta'])

export const results: readonly Profile[] = [
  changed({
    id: 'content-every-type',
    method: 'tools/call',
    happens: 'a result has texts, an image, a sound, a resource, a blob and a link',
    expects: 'take all of them',
    legacy: 'server/tools#tool-result',
    change: (result) => ({
      ...result,
      content: [
        ...(Array.isArray(result['content']) ? result['content'] : []),
        { type: 'image', data: PIXEL, mimeType: 'image/png', annotations: { audience: ['user'], priority: 0.5 } },
        { type: 'audio', data: SILENCE, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'service://test/embedded', mimeType: 'text/plain', text: 'embedded' } },
        { type: 'resource', resource: { uri: 'service://test/blob', blob: PIXEL } },
        { type: 'resource_link', uri: 'service://test/workspaces', name: 'workspaces' }
      ]
    })
  }),
  changed({
    id: 'content-empty',
    method: 'tools/call',
    happens: 'a result has no content at all',
    expects: 'take it',
    legacy: 'server/tools#tool-result',
    change: (result) => ({ ...result, content: [] })
  }),
  changed({
    id: 'structured-without-schema',
    method: 'tools/list',
    happens: 'the tools declare no output schema, and their results are structured all the same',
    expects: 'take them',
    legacy: 'server/tools#structured-content',
    change: (result) =>
      ({ ...result, tools: toolsOf(result).map((tool) => ({ ...asObject(tool), outputSchema: undefined })) })
  }),
  changed({
    id: 'meta-everywhere',
    happens: 'each result has a _meta with keys of others',
    expects: 'ignore the keys',
    legacy: 'basic#meta',
    change: (result) => ({
      ...result,
      _meta: { ...asObject(result['_meta']), 'example.com/trace': { id: 1 }, plain: null }
    })
  }),
  changed({
    id: 'fields-unknown',
    happens: 'results, and the objects in them, have fields that no revision knows',
    expects: 'ignore the fields',
    legacy: 'basic#result-responses',
    change: withUnknownFields
  }),
  changed({
    id: 'tool-error',
    method: 'tools/call',
    happens: 'a tool fails: isError is true',
    expects: 'hand the text on, and go on',
    legacy: 'server/tools#error-handling',
    change: ({ structuredContent: _, ...result }) => ({
      ...result,
      isError: true,
      content: [text('The tool failed. Try again with other words.')]
    })
  }),
  changed({
    id: 'text-of-a-megabyte',
    method: 'tools/call',
    happens: 'a result has a text of a million characters',
    expects: 'take it',
    level: 'robustness',
    change: (result) => ({ ...result, content: [text('planning '.repeat(111_111))] })
  }),
  changed({
    id: 'content-unknown-type',
    illegal: true,
    method: 'tools/call',
    happens: 'a result has content of a type that no revision knows',
    expects: 'leave it out or report an error',
    level: 'robustness',
    change: ({ structuredContent: _, ...result }, marker) => ({
      ...result,
      content: [{ type: 'hologram', text: marker, data: marker }]
    })
  }),
  changed({
    id: 'structured-against-schema',
    illegal: true,
    method: 'tools/call',
    happens: 'structuredContent is not what the output schema of the tool says',
    expects: 'report an error',
    legacy: 'server/tools#output-schema',
    change: (result, marker) => ({ ...result, structuredContent: { unexpected: marker }, content: [text(marker)] })
  }),
  changed({
    id: 'tool-without-schema',
    illegal: true,
    method: 'tools/list',
    happens: 'one tool of the list has no input schema and a number for its name',
    expects: 'leave the tool out, or report an error',
    legacy: 'server/tools#tool',
    change: (result, marker) => ({ ...result, tools: [...toolsOf(result), { name: 42, description: marker }] })
  })
]
