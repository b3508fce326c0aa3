import { readFileSync } from 'node:fs'
import t from 'tap'
import { validator } from '../../src/lib/schema/validator.js'
import { idOf, of, sample } from '../helpers/planning.js'

t.test('every line of the sample fits its schema', async (t) => {
  const types = ['workspace', 'user', 'membership', 'exploration', 'requirement_package', 'execution_plan', 'recommendation']
  const checks = new Map(types.map((type) => [type, validator(JSON.parse(
    readFileSync(new URL(`../../schemas/records/${type}.json`, import.meta.url), 'utf8')))]))
  for (const [index, line] of sample.entries()) t.match(checks.get(line.type)!(line), { ok: true }, `line ${index + 1}`)
})

t.test('the sample shows the product: three teams, two people with different access', async (t) => {
  t.equal(of(sample, 'workspace').length, 3)
  t.equal(of(sample, 'exploration').length, 12)
  t.same(of(sample, 'user').map(({ id }) => of(sample, 'membership').filter((one) => one.user_id === id).length), [3, 1])
  t.equal(new Set(of(sample, 'exploration').map(({ status }) => status)).size, 5)
  t.equal(new Set(of(sample, 'recommendation').map(({ status }) => status)).size, 3)
})

t.test('the example in the tools\' schemas is an exploration of the sample', async (t) => {
  const list = readFileSync(new URL('./tools/tools-list.json', import.meta.url), 'utf8')
  t.ok(list.includes(idOf('Pay in instalments')))
})
