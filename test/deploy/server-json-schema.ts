/**
 * What a registry demands of an entry, of what this server's uses, transcribed from the published schema of 2025-12-11
 * (static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json); stricter in one point: unknown fields, which
 * there are allowed, are mistakes here.
 */

const input = {
  description: { type: 'string' },
  placeholder: { type: 'string' },
  default: { type: 'string' },
  value: { type: 'string' },
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  choices: { type: 'array', items: { type: 'string' } },
  isRequired: { type: 'boolean' },
  isSecret: { type: 'boolean' }
} as const

const variables = {
  type: 'object', additionalProperties: { type: 'object', properties: input, additionalProperties: false }
} as const

const keyValue = {
  type: 'object', required: ['name'], additionalProperties: false, properties: { ...input, name: { type: 'string' }, variables }
} as const

const endpoint = {
  type: 'object',
  required: ['type', 'url'],
  additionalProperties: false,
  properties: {
    type: { enum: ['streamable-http', 'sse'] },
    url: { type: 'string', pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$' },
    headers: { type: 'array', items: keyValue }
  }
} as const

const positional = {
  type: 'object',
  required: ['type'],
  anyOf: [{ required: ['value'] }, { required: ['valueHint'] }],
  additionalProperties: false,
  properties: { ...input, variables, isRepeated: { type: 'boolean' }, type: { const: 'positional' }, valueHint: { type: 'string' } }
} as const

export const serverJsonSchema = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'remotes'],
  additionalProperties: false,
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?$' },
    packages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['registryType', 'identifier', 'transport'],
        additionalProperties: false,
        properties: {
          registryType: { enum: ['npm', 'pypi', 'oci', 'nuget', 'cargo', 'mcpb'] },
          identifier: { type: 'string' },
          version: { type: 'string', minLength: 1, maxLength: 255, not: { const: 'latest' } },
          fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
          runtimeHint: { type: 'string' },
          packageArguments: { type: 'array', items: positional },
          environmentVariables: { type: 'array', items: keyValue },
          transport: endpoint
        }
      }
    },
    remotes: { type: 'array', minItems: 1, items: { ...endpoint, properties: { ...endpoint.properties, variables } } }
  }
} as const
