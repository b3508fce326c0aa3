import { readFileSync } from 'node:fs'
import t from 'tap'
import { tools } from '../../../src/planning/tools/index.js'
import { meets } from '../../conformance/requirements.js'
import { idOf } from '../../helpers/planning.js'

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>, items?: Schema }

const definitions = (of: typeof tools) => of.map(({ name, title, description, input, output, annotations }) =>
  ({ name, title, description, inputSchema: input, outputSchema: output, annotations }))
const reading = tools.filter(({ scope }) => scope === 'read')
const writing = tools.filter(({ scope }) => scope !== 'read')
const listed = definitions(reading)

t.test('tools/list is what was reviewed', async (t) => {
  const check = (target: URL, shown: typeof tools): void => {
    const reviewed: unknown = JSON.parse(readFileSync(target, 'utf8'))
    t.strictSame(JSON.parse(JSON.stringify(definitions(shown))), reviewed, 'npm run fresh writes it')
  }
  check(new URL('./tools-list.json', import.meta.url), reading)
  check(new URL('./writing-tools-list.json', import.meta.url), writing)
  t.match(JSON.stringify(listed), idOf('Pay in instalments'), 'the example in the schemas is an exploration of the sample')
})

// Each conversation of an agent begins with this list, so a tool has to be worth what it costs: four characters are about a token.
const MAX_TOOL_CHARS = 2_000
const MAX_LIST_CHARS = 16_000

t.test('tools/list: each tool costs at most 500 tokens, all of them at most 4,000', async (t) => {
  const costs = listed.map((tool) => ({ name: tool.name, chars: JSON.stringify(tool).length }))
  for (const { name, chars } of costs) {
    t.comment(`${name} costs ${chars} characters`)
    t.ok(chars <= MAX_TOOL_CHARS, `${name}: ${chars} characters`)
  }
  const total = costs.reduce((sum, { chars }) => sum + chars, 0)
  t.ok(total <= MAX_LIST_CHARS, `${total} characters`)
})

t.test('names are valid, and what says that it reads needs no more than that', async (t) => {
  meets('tool-names')
  for (const { name } of tools) t.match(name, /^[a-z_]{1,64}$/)
  t.same(tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name), [...reading.map(({ name }) => name), 'get_changes'])
})

const walk = function * (schema: Schema, path: string): Generator<[string, Schema]> {
  yield [path, schema]
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield * walk(inner, `${path}.${name}`)
  if (schema.items) yield * walk(schema.items, `${path}[]`)
}

const KEYWORDS = new Set(['type', 'properties', 'required', 'items', 'description', 'enum', 'default', 'examples', 'additionalProperties',
  'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'uniqueItems'])

t.test('schemas use only what all model providers take', async (t) => {
  for (const { name, input, output } of tools) {
    for (const [kind, root] of Object.entries({ input, output }) as unknown as Array<[string, Schema]>) {
      t.equal(root.type, 'object', `${name} ${kind} is an object`)
      t.same(Object.keys(root).filter((key) => /^(anyOf|oneOf|allOf|not|if)$/.test(key)), [])
      for (const [path, schema] of walk(root, `${name} ${kind}`)) {
        t.same(Object.keys(schema).filter((key) => !KEYWORDS.has(key)), [], `${path} has no exotic keyword`)
        t.type(schema.type, 'string', `${path} has one type`)
        if (kind === 'input' && schema.type === 'object') t.equal(schema.additionalProperties, false, `${path} is closed`)
        if (kind === 'output') t.not(schema.additionalProperties, false, `${path} is open`)
        for (const required of (schema.required ?? []) as string[]) t.ok(schema.properties?.[required], `${path} describes ${required}`)
        for (const example of (schema.examples ?? []) as unknown[]) t.equal(Array.isArray(example) ? 'array' : typeof example, schema.type)
      }
    }
  }
})
