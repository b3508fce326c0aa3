/** Profiles: what results of tools, and lists of tools, may and may not hold. */
import { withResult } from '../proxy/reply.js'
import { isRequest } from '../proxy/exchange.js'
import { asObject, isObject, type JsonObject } from '../../lib/json/json-object.js'
import { ILLEGAL, LEGAL } from './judges.js'
import type { ProfileRow } from './profile.js'
import { changeReplies, isWork } from './targets.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

/** Changes the results of a method, or of all requests after the handshake. Without a clause it is robustness. */
const changed = (
  form: typeof LEGAL | typeof ILLEGAL, id: string, method: 'tools/call' | 'tools/list' | undefined, happens: string,
  expects: string, clause: string | undefined, change: (result: JsonObject, marker: string) => unknown
): ProfileRow => ({
  ...form,
  id,
  happens,
  expects,
  ...(method === 'tools/call' && { needs: method }),
  level: clause === undefined ? 'robustness' : form.kind === 'legal' ? 'MUST' : 'SHOULD',
  legacy: clause,
  modern: clause,
  create: ({ marker }) => changeReplies(happens, (reply, call) =>
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
      Object.entries(value).map(([key, part]) => [key, FIXED.has(key) ? part : withUnknownFields(part)])),
    xUnknown: { deep: [1, null] }
  }
}
// What a client may hold against a schema stays as it is.
const FIXED = new Set(['structuredContent', 'inputSchema', 'outputSchema', '_meta'])

export const results: readonly ProfileRow[] = [
  changed(LEGAL, 'content-every-type', 'tools/call',
    'a result has texts, an image, a sound, a resource, a blob and a link', 'take all of them',
    'server/tools#tool-result', (result) => ({
      ...result,
      content: [
        ...(Array.isArray(result['content']) ? result['content'] : []),
        { type: 'image', data: PIXEL, mimeType: 'image/png', annotations: { audience: ['user'], priority: 0.5 } },
        { type: 'audio', data: SILENCE, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'service://test/embedded', mimeType: 'text/plain', text: 'embedded' } },
        { type: 'resource', resource: { uri: 'service://test/blob', blob: PIXEL } },
        { type: 'resource_link', uri: 'service://test/workspaces', name: 'workspaces' }
      ]
    })),
  changed(LEGAL, 'content-empty', 'tools/call', 'a result has no content at all', 'take it', 'server/tools#tool-result',
    (result) => ({ ...result, content: [] })),
  changed(LEGAL, 'structured-without-schema', 'tools/list',
    'the tools declare no output schema, and their results are structured all the same', 'take them',
    'server/tools#structured-content', (result) =>
      ({ ...result, tools: toolsOf(result).map((tool) => ({ ...asObject(tool), outputSchema: undefined })) })),
  changed(LEGAL, 'meta-everywhere', undefined, 'each result has a _meta with keys of others', 'ignore the keys',
    'basic#meta', (result) => ({
      ...result, _meta: { ...asObject(result['_meta']), 'example.com/trace': { id: 1 }, plain: null }
    })),
  changed(LEGAL, 'fields-unknown', undefined,
    'results, and the objects in them, have fields that no revision knows', 'ignore the fields',
    'basic#result-responses', withUnknownFields),
  changed(LEGAL, 'tool-error', 'tools/call', 'a tool fails: isError is true', 'hand the text on, and go on',
    'server/tools#error-handling', ({ structuredContent: _, ...result }) =>
      ({ ...result, isError: true, content: [text('The tool failed. Try again with other words.')] })),
  changed(LEGAL, 'text-of-a-megabyte', 'tools/call', 'a result has a text of a million characters', 'take it',
    undefined, (result) => ({ ...result, content: [text('planning '.repeat(111_111))] })),
  changed(ILLEGAL, 'content-unknown-type', 'tools/call', 'a result has content of a type that no revision knows',
    'leave it out or report an error', undefined, ({ structuredContent: _, ...result }, marker) =>
      ({ ...result, content: [{ type: 'hologram', text: marker, data: marker }] })),
  changed(ILLEGAL, 'structured-against-schema', 'tools/call',
    'structuredContent is not what the output schema of the tool says', 'report an error',
    'server/tools#output-schema', (result, marker) =>
      ({ ...result, structuredContent: { unexpected: marker }, content: [text(marker)] })),
  changed(ILLEGAL, 'tool-without-schema', 'tools/list',
    'one tool of the list has no input schema and a number for its name', 'leave the tool out, or report an error',
    'server/tools#tool', (result, marker) =>
      ({ ...result, tools: [...toolsOf(result), { name: 42, description: marker }] }))
]
