/**
 * The fields that each result may have, by method and revision: a field that its revision does not know is a fault, as is one that
 * is missing. Stricter than the specification's own schemas, which let unknown fields pass.
 */
type Schema = Record<string, unknown>

const string: Schema = { type: 'string' }
const object: Schema = { type: 'object' }
const boolean: Schema = { type: 'boolean' }
const list = (items: Schema): Schema => ({ type: 'array', items })

/** Names that end in `?` may be absent, names under a date came with it; nothing else may be there. */
const closed = (
  revision: string, fields: Record<string, Schema>, later: Record<string, Record<string, Schema>> = {}
): Schema => {
  const came = Object.entries(later).filter(([since]) => revision >= since).map(([, more]) => more)
  const known = Object.entries<Schema>(Object.assign({}, fields, ...came))
  return {
    type: 'object',
    properties: Object.fromEntries(known.map(([name, schema]) => [name.replace('?', ''), schema])),
    required: known.map(([name]) => name).filter((name) => !name.endsWith('?')),
    additionalProperties: false
  }
}

const TITLES = { '2025-06-18': { 'title?': string } }
const LATER = { ...TITLES, '2025-11-25': { 'title?': string, 'icons?': list(object) } }

const contents = (r: string): Schema => list({
  oneOf: ['text', 'blob'].map((held) => closed(r, { uri: string, 'mimeType?': string, [held]: string }, { '2025-06-18': { '_meta?': object } }))
})

const content = (r: string): Schema => {
  const kind = (type: string, fields: Record<string, Schema>) =>
    closed(r, { type: { const: type }, 'annotations?': object, ...fields })
  return {
    oneOf: [
      kind('text', { text: string }),
      kind('image', { data: string, mimeType: string }),
      kind('resource', { resource: (contents(r) as { items: Schema }).items }),
      ...(r >= '2025-03-26' ? [kind('audio', { data: string, mimeType: string })] : []),
      ...(r >= '2025-06-18' ? [kind('resource_link', { uri: string, name: string, 'mimeType?': string, 'title?': string })] : [])
    ]
  }
}

const ofObjects = { type: 'object', properties: { type: { const: 'object' } }, required: ['type'] }

const tool = (r: string): Schema => closed(r, { name: string, 'description?': string, inputSchema: ofObjects }, {
  ...LATER,
  '2025-03-26': { 'annotations?': object },
  '2025-06-18': { 'title?': string, 'outputSchema?': object }
})

const entry = (r: string, address: string): Schema => closed(r, {
  [address]: string,
  name: string,
  'description?': string,
  'mimeType?': string,
  ...(address === 'uri' && { 'size?': { type: 'integer' } }),
  'annotations?': closed(r, { 'audience?': list(string), 'priority?': { type: 'number' } }, { '2025-06-18': { 'lastModified?': string } })
}, LATER)

const capabilities = (r: string): Schema => closed(r,
  { 'tools?': object, 'resources?': object, 'prompts?': object, 'logging?': object, 'experimental?': object },
  { '2025-03-26': { 'completions?': object }, '2026-07-28': { 'extensions?': object } })

const server = (r: string): Schema => closed(r, { name: string, version: string },
  { ...TITLES, '2025-11-25': { 'description?': string, 'icons?': list(object), 'websiteUrl?': string } })

const page = { 'nextCursor?': string }

const SERVER = 'io.modelcontextprotocol/serverInfo'

/** Every modern result: what it is, and from whom. */
const modern = (r: string) => ({
  '2026-07-28': {
    resultType: { const: 'complete' },
    _meta: { type: 'object', properties: { [SERVER]: server(r) }, required: [SERVER] }
  }
})

const cached = (r: string) => ({
  '2026-07-28': {
    ...modern(r)['2026-07-28'], ttlMs: { type: 'integer', minimum: 0 }, cacheScope: { enum: ['public', 'private'] }
  }
})

export const SHAPES: Record<string, (revision: string) => Schema> = {
  initialize: (r) => closed(r, {
    protocolVersion: { const: r }, capabilities: capabilities(r), serverInfo: server(r), 'instructions?': string
  }),
  ping: (r) => closed(r, {}),
  'logging/setLevel': (r) => closed(r, {}),
  'resources/subscribe': (r) => closed(r, {}),
  'resources/unsubscribe': (r) => closed(r, {}),
  'server/discover': (r) => closed(r, { supportedVersions: list(string), capabilities: capabilities(r), 'instructions?': string }, cached(r)),
  'tools/list': (r) => closed(r, { tools: list(tool(r)), ...page }, cached(r)),
  'tools/call': (r) => closed(r, { content: list(content(r)), 'isError?': boolean },
    { '2025-06-18': { 'structuredContent?': object, '_meta?': object }, ...modern(r) }),
  'resources/list': (r) => closed(r, { resources: list(entry(r, 'uri')), ...page }, cached(r)),
  'resources/templates/list': (r) => closed(r, { resourceTemplates: list(entry(r, 'uriTemplate')), ...page }, cached(r)),
  'resources/read': (r) => closed(r, { contents: contents(r) }, cached(r)),
  'prompts/list': (r) => closed(r, {
    prompts: list(closed(r, { name: string, 'description?': string, 'arguments?': list(object) }, LATER)), ...page
  }, cached(r)),
  'prompts/get': (r) => closed(r, {
    'description?': string, messages: list(closed(r, { role: { enum: ['user', 'assistant'] }, content: content(r) }))
  }, modern(r)),
  'completion/complete': (r) => closed(r, {
    completion: closed(r, {
      values: { ...list(string), maxItems: 100 }, 'total?': { type: 'integer' }, 'hasMore?': boolean
    })
  }, modern(r))
}
