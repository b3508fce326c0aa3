import { readFileSync } from 'node:fs'
import t from 'tap'
import { idOf, of, sample } from '../helpers/planning.js'

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
