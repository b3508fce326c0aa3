import t from 'tap'
import { longestChain } from '../../../src/web/app/plan/layout/longest-chain.js'
import { createPlanModel } from '../../../src/web/app/plan/plan-model.js'
import type { ItemStatus, PlanRecord } from '../../../src/web/app/plan/plan-record.js'

/** A plan of one group: `statuses` of its items a, b, c …; `links` like 'ab': b waits for a. */
const planOf = (statuses: ItemStatus[], links: string[]): PlanRecord => ({
  groups: [{ id: 'g', title: 'Group', order: 1 }],
  items: statuses.map((status, at) => ({
    id: 'abcdefgh'.charAt(at), group_id: 'g', title: `Item ${'abcdefgh'.charAt(at)}`, status, order: at
  })),
  dependencies: links.map((link) => ({ depends_on: link.charAt(0), item_id: link.charAt(1), kind: 'blocks' })),
  gates: [],
  conflicts: []
})
const titles = (items: Iterable<{ title: string }>): string => Array.from(items, ({ title }) => title.slice(5)).join('')

t.test('a relation does not keep an item from starting', (t) => {
  const plan = planOf(['todo', 'todo'], ['ab'])
  t.equal(titles(createPlanModel(plan).ready), 'a')
  t.equal(titles(createPlanModel({ ...plan, dependencies: plan.dependencies.map((link) => ({ ...link, kind: 'relates' })) }).ready), 'ab')
  t.end()
})

t.test('the longest chain holds what is not done, whatever circles there are', (t) => {
  const chain = (statuses: ItemStatus[], links: string[]): string =>
    titles(longestChain(createPlanModel(planOf(statuses, links))))
  t.equal(chain(['done', 'todo', 'blocked', 'todo'], ['ab', 'bc', 'cd']), 'bcd')
  t.equal(chain(['todo', 'todo', 'todo', 'todo'], ['ab', 'cd', 'bd']), 'abd')
  t.equal(chain(['todo', 'todo'], []), '', 'nothing waits for anything')
  t.equal(chain(['done', 'done'], ['ab']), '')
  t.equal(chain(['todo', 'todo', 'todo'], ['ab', 'bc', 'ca']).length, 3, 'a circle is cut once')
  t.end()
})
