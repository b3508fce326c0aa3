import t, { type Test } from 'tap'
import { isStacked, layoutColumns } from '../../../src/web/app/plan/layout/columns-layout.js'
import { nextTarget } from '../../../src/web/app/plan/next-target.js'
import { overlaps, targetKey, type Picture } from '../../../src/web/app/plan/layout/picture.js'
import { createPlanModel } from '../../../src/web/app/plan/plan-model.js'
import { layoutRails } from '../../../src/web/app/plan/layout/rails-layout.js'
import { syntheticPlan } from '../../helpers/plans.js'

const allOpen = (count: number): Set<number> => new Set(Array.from({ length: count }, (_, at) => at))

/** Numbers of a path, which must all be finite. */
const numbersOf = (path: string): number[] => (path.match(/-?[\d.]+|NaN|Infinity/g) ?? []).map(Number)

const checkPicture = (t: Test, picture: Picture): void => {
  const boxes = [...picture.cards, ...picture.summaries]
  t.ok(boxes.every((box, at) => boxes.slice(at + 1).every((other) => !overlaps(box, other))), 'no two cards overlap')
  t.ok(boxes.every(({ x, y, width, height }) => x >= 0 && y >= 0 && x + width <= picture.width && y + height <= picture.height),
    'all cards are inside the picture')
  t.ok(picture.lanes.every((lane, at) => at === 0 || picture.kind === 'rails'
    ? true
    : lane.x > (picture.lanes[at - 1]?.x ?? 0)), 'lanes stand in order')
  t.ok(picture.edges.every(({ path, tip }) => [...numbersOf(path), tip.x, tip.y].every(Number.isFinite)), 'all lines are finite')
  t.equal(new Set(picture.edges.map(({ key }) => key)).size, picture.edges.length, 'each line is drawn once')
  t.equal(new Set(picture.targets.map(targetKey)).size, picture.targets.length, 'each target is there once')
}

for (const shape of [{ groups: 3, items: 14 }, { groups: 13, items: 150 }, { groups: 52, items: 600 }]) {
  t.test(`${shape.items} items in ${shape.groups} groups`, (t) => {
    const model = createPlanModel(syntheticPlan(shape))
    const open = allOpen(shape.groups)
    for (const picture of [layoutColumns(model, open), layoutRails(model, open, 390)]) {
      checkPicture(t, picture)
      t.equal(picture.cards.length, shape.items)
      t.equal(picture.edges.length, model.links.length)
    }
    for (const picture of [layoutColumns(model, new Set([1])), layoutRails(model, new Set([1]), 390)]) {
      checkPicture(t, picture)
      t.equal(picture.summaries.length, shape.groups - 1)
      t.equal(picture.cards.length, model.groups[1]?.items.length)
      t.equal(picture.edges.reduce((sum, { links }) => sum + links.length, 0), model.links.filter(({ from, to }) =>
        from.group !== to.group || from.group.index === 1).length, 'merged lines hold every dependency that leaves a closed group')
    }
    t.end()
  })
}

t.test('dependencies go to the right: an item stands in a later column than what it waits for', (t) => {
  const model = createPlanModel(syntheticPlan({ groups: 4, items: 60, seed: 7 }))
  const places = new Map(layoutColumns(model, allOpen(4)).cards.map((card) => [card.item, card]))
  for (const { from, to, kind } of model.links) {
    if (kind === 'blocks') t.ok((places.get(from)?.x ?? 0) < (places.get(to)?.x ?? 0))
  }
  t.end()
})

t.test('each group stands in one column where the whole plan has room only so', (t) => {
  const model = createPlanModel(syntheticPlan({ groups: 5, items: 20, seed: 3 }))
  const [deep, stacked] = [layoutColumns(model, allOpen(5)), layoutColumns(model, allOpen(5), true)]
  checkPicture(t, stacked)
  for (const { index } of model.groups) {
    t.equal(new Set(stacked.cards.filter(({ item }) => item.group.index === index).map(({ x }) => x)).size, 1)
  }
  t.ok(stacked.width < deep.width)
  t.ok(isStacked(model.groups, stacked.width))
  t.notOk(isStacked(model.groups, stacked.width - 100), 'it would not be seen whole')
  t.notOk(isStacked(model.groups, deep.width + 100), 'all of it has room as it is')
  t.notOk(isStacked(createPlanModel(syntheticPlan({ groups: 2, items: 40 })).groups, 600), 'a column would be too high')
  t.end()
})

t.test('lines do not run through cards of other items', (t) => {
  const model = createPlanModel(syntheticPlan({ groups: 6, items: 60, seed: 3 }))
  const { cards, edges } = layoutColumns(model, allOpen(6))
  for (const { path } of edges) {
    // Horizontal pieces are where a line passes a column; they begin with L after the curve that led there.
    for (const [, x = '', y = ''] of path.matchAll(/L([\d.]+) ([\d.]+)/g)) {
      const point = { x: Number(x) - 100, y: Number(y), width: 0, height: 0 }
      t.notOk(cards.some((card) => overlaps(card, point)))
    }
  }
  t.end()
})

t.test('circles, links backwards, everything waiting for everything, 10,000 items', (t) => {
  const circle = (size: number) => ({
    ...syntheticPlan({ groups: 2, items: size }),
    dependencies: Array.from({ length: size }, (_, at) => ({
      item_id: `i${at}`, depends_on: `i${(at + 1) % size}`, kind: 'blocks' as const
    }))
  })
  checkPicture(t, layoutColumns(createPlanModel(circle(30)), allOpen(2)))
  const every = {
    ...syntheticPlan({ groups: 3, items: 40 }),
    dependencies: Array.from({ length: 1600 }, (_, at) => ({
      item_id: `i${at % 40}`, depends_on: `i${Math.floor(at / 40)}`, kind: 'blocks' as const
    }))
  }
  checkPicture(t, layoutColumns(createPlanModel(every), allOpen(3)))
  const huge = createPlanModel(syntheticPlan({ groups: 100, items: 3000 }))
  const picture = layoutColumns(huge, allOpen(100))
  t.equal(picture.cards.length, 3000)
  t.equal(picture.edges.length, huge.links.length)
  t.equal(layoutRails(huge, allOpen(100), 390).cards.length, 3000)
  const chain = createPlanModel(circle(10_000))
  t.equal(layoutColumns(chain, allOpen(2)).cards.length, 10_000)
  t.end()
})

t.test('an empty plan, and a group without items', (t) => {
  const nothing = createPlanModel({ groups: [], items: [], dependencies: [], gates: [], conflicts: [] })
  checkPicture(t, layoutColumns(nothing, new Set()))
  checkPicture(t, layoutRails(nothing, new Set(), 100))
  const hollow = createPlanModel({ ...syntheticPlan({ groups: 2, items: 0 }), conflicts: [] })
  const picture = layoutColumns(hollow, allOpen(2))
  checkPicture(t, picture)
  t.equal(picture.lanes.length, 2)
  t.end()
})

t.test('keys go through everything in the order of reading, and along dependencies', (t) => {
  const plan = syntheticPlan({ groups: 2, items: 4 })
  const model = createPlanModel({
    ...plan,
    dependencies: [{ item_id: 'i2', depends_on: 'i1', kind: 'blocks' }],
    gates: plan.gates.slice(0, 1)
  })
  const picture = layoutColumns(model, allOpen(2))
  const press = (active: Picture['targets'][number] | undefined, key: string): string | undefined => {
    const target = nextTarget(picture, model, active, key)
    return target && targetKey(target)
  }
  t.strictSame(picture.targets.map(targetKey), ['group-0', 'item-0', 'item-1', 'gate-0', 'group-1', 'item-2', 'item-3'])
  t.equal(press(undefined, 'ArrowDown'), 'group-0')
  t.equal(press({ type: 'item', index: 1 }, 'ArrowDown'), 'gate-0')
  t.equal(press({ type: 'group', index: 0 }, 'ArrowUp'), 'group-0', 'it stays at the beginning')
  t.equal(press({ type: 'item', index: 0 }, 'End'), 'item-3')
  t.equal(press({ type: 'item', index: 0 }, 'PageDown'), 'group-1')
  t.equal(press({ type: 'item', index: 3 }, 'PageUp'), 'group-1')
  t.equal(press({ type: 'item', index: 1 }, 'ArrowRight'), 'item-2')
  t.equal(press({ type: 'item', index: 2 }, 'ArrowLeft'), 'item-1')
  t.equal(press({ type: 'item', index: 0 }, 'ArrowLeft'), undefined, 'it waits for nothing')
  t.equal(press({ type: 'item', index: 0 }, 'x'), undefined)
  const closed = layoutColumns(model, new Set([0]))
  const beyond = nextTarget(closed, model, { type: 'item', index: 1 }, 'ArrowRight')
  t.equal(beyond && targetKey(beyond), 'group-1', 'an item of a closed group is reached at the group')
  t.end()
})
