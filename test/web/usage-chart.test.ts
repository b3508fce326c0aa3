import t from 'tap'
import { labelledBuckets, labelPlace, niceTicks } from '../../src/web/app/pages/usage/chart-scale.js'

t.test('ticks are round, whole, and reach the largest value', (t) => {
  t.strictSame(niceTicks(0), [0, 1])
  t.strictSame(niceTicks(3), [0, 1, 2, 3])
  t.strictSame(niceTicks(152), [0, 50, 100, 150, 200])
  for (const max of [1, 7, 19, 42, 99, 1234, 87_654, 1e9]) {
    const ticks = niceTicks(max)
    t.ok((ticks.at(-1) ?? 0) >= max, `${max} is below the last tick`)
    t.ok(ticks.length >= 2 && ticks.length <= 7 && ticks.every(Number.isInteger), `ticks of ${max}`)
  }
  t.end()
})

t.test('labels of buckets do not repeat and do not overlap', (t) => {
  const hours = Array.from({ length: 72 }, (_, at) => `Nov ${1 + Math.floor(at / 24)}`)
  t.strictSame([...labelledBuckets(hours, 800, 76)], [0, 24, 48])
  t.strictSame([...labelledBuckets(hours, 160, 76)], [0, 48])
  t.strictSame([...labelledBuckets(hours.slice(20), 800, 76)], [4, 28], 'the first day is cut short')
  t.strictSame([...labelledBuckets([], 100, 76)], [])
  t.end()
})

t.test('labels at the edges are not cut', (t) => {
  t.strictSame(labelPlace(42, 900, 76, true), { x: 42, 'text-anchor': 'start' })
  t.strictSame(labelPlace(400, 900, 76, false), { x: 400, 'text-anchor': 'middle' })
  t.strictSame(labelPlace(895, 900, 76, false), { x: 900, 'text-anchor': 'end' })
  t.end()
})
