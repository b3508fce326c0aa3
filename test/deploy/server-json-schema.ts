/**
 * What a registry demands of a remote server's entry, transcribed from the published schema of 2025-12-11
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
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        additionalProperties: false,
        properties: {
          type: { enum: ['streamable-http', 'sse'] },
          url: { type: 'string', pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$' },
          variables,
          headers: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name'],
              additionalProperties: false,
              properties: { ...input, name: { type: 'string' }, variables }
            }
          }
        }
      }
    }
  }
} as const
