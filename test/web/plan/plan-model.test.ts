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

t.test('groups and items stand in their order, with counts and what can start now', (t) => {
  const model = createPlanModel({
    groups: [{ id: 'late', title: 'Late', order: 2 }, { id: 'early', title: '**Early** `x`', order: 1 }],
    items: [
      { id: '3', group_id: 'late', title: 'third', status: 'todo', order: 1 },
      { id: '2', group_id: 'early', title: 'second', status: 'todo', order: 2 },
      { id: '1', group_id: 'early', title: 'first', status: 'done', order: 1 }
    ],
    dependencies: [{ item_id: '2', depends_on: '1', kind: 'blocks' }, { item_id: '3', depends_on: '2', kind: 'blocks' }],
    gates: [{ id: 'x', title: 'Gate', after_group_id: 'early', criteria: ['one'], status: 'open' }],
    conflicts: []
  })
  t.strictSame(model.groups.map(({ title }) => title), ['Early x', 'Late'])
  t.strictSame(model.items.map(({ title }) => title), ['first', 'second', 'third'])
  t.strictSame(model.counts, { todo: 2, in_progress: 0, done: 1, blocked: 0 })
  t.strictSame(model.ready.map(({ title }) => title), ['second'], 'what it waits for is done')
  t.equal(model.groups[0]?.gates[0]?.title, 'Gate')
  t.end()
})

t.test('a relation does not keep an item from starting', (t) => {
  const plan = planOf(['todo', 'todo'], ['ab'])
  t.equal(titles(createPlanModel(plan).ready), 'a')
  t.equal(titles(createPlanModel({ ...plan, dependencies: plan.dependencies.map((link) => ({ ...link, kind: 'relates' })) }).ready), 'ab')
  t.end()
})

t.test('references to nothing, repeated ids and repeated links are taken without harm', (t) => {
  const plan = planOf(['todo', 'todo'], ['ab', 'ab', 'aa', 'ax', 'xb'])
  const model = createPlanModel({
    ...plan,
    items: [...plan.items, { id: 'a', group_id: 'gone', title: 'Twin', status: 'done', order: Number.NaN }],
    gates: [{ id: 'g', title: 'Gate', after_group_id: 'gone', criteria: [], status: 'open' }],
    conflicts: [{ id: 'c', item_ids: ['a', 'a', 'gone'], description: 'x', severity: 'low', status: 'open' }]
  })
  t.equal(model.items.length, 3, 'the twin is there as well')
  t.equal(model.groups.at(-1)?.title, 'Without a group')
  t.equal(model.links.length, 1)
  t.equal(model.gates.length, 0)
  t.equal(model.conflicts[0]?.items.length, 1)
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
