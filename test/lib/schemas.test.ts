// The schemas of this program are not compared with the schema of schemas when they are used: here they are.
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { lazyValidator, validator } from '../../src/lib/schema/validator.js'
import { tools } from '../../src/planning/tools/index.js'

const root = new URL('../../', import.meta.url)

t.test('every schema of this program is a valid JSON Schema', async (t) => {
  const files = readdirSync(new URL('schemas', root), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  t.ok(files.length > 30)
  for (const file of files) {
    const { $id, ...schema } = JSON.parse(readFileSync(new URL(`schemas/${file}`, root), 'utf8'))
    t.doesNotThrow(() => validator(schema), file)
  }
  for (const { name, input, output } of tools) {
    t.doesNotThrow(() => validator(input), `input of ${name}`)
    if (output) t.doesNotThrow(() => validator(output), `output of ${name}`)
  }
})

t.test('a schema of this program is compiled at its first use, and not before', async (t) => {
  const check = lazyValidator({ type: 'object', unheardOf: true })
  t.throws(() => check({}), /unheardOf/)
  t.same(lazyValidator({ type: 'integer', minimum: 3 })(2), { ok: false, faults: ['the value must be at least 3'] })
})
