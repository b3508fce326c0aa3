/** Writes docs/reference/web-api.md from the table of operations and their schemas. */
import type { RouteDescription } from '../../src/administration/operation.js'
import { pageOperations } from '../../src/administration/operations.js'
import { signInOperations } from '../../src/administration/operations/sign-in.js'
import { markdownTable, writePage } from '../markdown.mjs'

interface Field { type?: unknown, enum?: readonly unknown[], description?: string, default?: unknown, minimum?: number, maximum?: number }
interface Fields { title?: string, description?: string, properties?: Record<string, Field>, required?: readonly string[] }

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')

const typeOf = ({ type, enum: values }: Field): string =>
  values ? values.map((value) => `\`${JSON.stringify(value)}\``).join(', ') : [type ?? 'any'].flat().join(' or ')

const fieldRow = (required: readonly string[]) => ([name, field]: [string, Field]): string[] => {
  const range = [field.minimum, field.maximum].every((bound) => bound !== undefined) ? ` (${field.minimum} to ${field.maximum})` : ''
  const standard = field.default === undefined ? '' : `; default \`${JSON.stringify(field.default)}\``
  return [`\`${name}\``, `${typeOf(field)}${range}${standard}`, required.includes(name) ? 'yes' : 'no', escaped(field.description ?? '')]
}

const table = (heading: string, schema: unknown, mark: string): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, required = [], description }: Fields = schema
  const fields = Object.entries(properties)
  return [
    `${heading}${description === undefined ? '' : `: ${escaped(description)}`}`,
    ...(fields.length === 0 ? [] : [markdownTable(['field', 'type', mark, 'meaning'], fields.map(fieldRow(required)))])
  ]
}

const stream = (heading: string, types: readonly string[] | undefined): string[] =>
  types ? [`${heading}: a stream of ${types.map((type) => `\`${type}\``).join(', ')}.`] : []

const section = ([key, { id, summary, query, body, response, consumes, produces, status }]: [string, RouteDescription]): string[] => [
  `### ${key.replace(' /', ' /web/v1/')}`,
  `${summary} (\`${id}\`). Answers ${status ?? 200}.`,
  ...table('Query', query, 'required'),
  ...table('Body', body, 'required'),
  ...stream('Body', consumes),
  ...table('Answer', response, 'always'),
  ...stream('Answer', produces)
]

const all = Object.entries<RouteDescription>({ ...signInOperations, ...pageOperations })
const tags = [...new Set(all.map(([, { tag }]) => tag))]
await writePage('web-api.md', 'npm run fresh from src/administration/operations.ts and schemas/operations', [
  '# Web API',
  'What the pages of the web application ask, under `/web/v1`. It takes the cookie of a session and nothing else: keys and tokens do not work here. ' +
    'Programs use MCP. The API may change with any release.',
  'Every request but GET needs the `Origin` of the server itself and the header `x-exploration-mcp: web`. Errors are problem documents (RFC 9457) ' +
    'whose `detail` is a sentence for people. Lists have `next_cursor` while there is more. A person may ask 1,200 times a minute, and 30 times where a code or a secret could be guessed. ' +
    '`GET /web/v1/openapi.json` describes all of it for programs; [Permissions](web-permissions.md) says who may do what.',
  ...tags.flatMap((tag) => [`## ${tag.charAt(0).toUpperCase()}${tag.slice(1)}`, ...all.filter(([, operation]) => operation.tag === tag).flatMap(section)])
])
