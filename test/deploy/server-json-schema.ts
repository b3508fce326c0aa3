/**
 * What a registry demands of an entry, of what this server's uses, transcribed from the published schema of 2025-12-11
 * (static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json); stricter in one point: unknown fields, which
 * there are allowed, are mistakes here.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
const text = { type: 'string' }
const list = (items: object) => ({ type: 'array', items })
const record = (properties: object, ...required: string[]) => ({ type: 'object', required, additionalProperties: false, properties })

const input = {
  description: text,
  placeholder: text,
  default: text,
  value: text,
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  isRequired: { type: 'boolean' },
  isSecret: { type: 'boolean' }
}
const variables = { type: 'object', additionalProperties: record(input) }
const keyValue = record({ ...input, name: text, variables }, 'name')
const endpoint = {
  type: { enum: ['streamable-http', 'sse'] },
  url: { type: 'string', pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$' },
  headers: list(keyValue)
}

const serverJsonSchema = record({
  $schema: { const: SCHEMA },
  name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
  title: { type: 'string', minLength: 1, maxLength: 100 },
  description: { type: 'string', minLength: 1, maxLength: 100 },
  version: { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?$' },
  packages: list(record({
    registryType: { enum: ['npm', 'pypi', 'oci', 'nuget', 'cargo', 'mcpb'] },
    identifier: text,
    version: { type: 'string', minLength: 1, maxLength: 255, not: { const: 'latest' } },
    fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
    runtimeHint: text,
    packageArguments: list(record({ ...input, variables, type: { const: 'positional' } }, 'type', 'value')),
    environmentVariables: list(keyValue),
    transport: record(endpoint, 'type', 'url')
  }, 'registryType', 'identifier', 'transport')),
  remotes: { minItems: 1, ...list(record({ ...endpoint, variables }, 'type', 'url')) }
}, '$schema', 'name', 'description', 'version', 'remotes')

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(serverJsonSchema)

/** What is wrong with an entry. */
export const faultsOf = (entry: unknown): string[] =>
  validate(entry) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
