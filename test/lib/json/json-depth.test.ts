// One bound on the depth of JSON from outside. That it is asked where JSON comes in: test/engine/http/hostile.test.ts.
import fc from 'fast-check'
import t from 'tap'
import { isDeeperThan, MAX_JSON_DEPTH, parseBoundedJson } from '../../../src/lib/json/json-depth.js'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

t.test('the depth of a text is that of its value', async (t) => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, most) =>
    isDeeperThan(JSON.stringify(value, null, 1), most) === (depthOf(value) > most)))
  t.equal(isDeeperThan(JSON.stringify(['[[[[', '\\"[[[', { '[[[': '"]]' }]), 2), false, 'brackets in strings do not count')
  t.doesNotThrow(() => parseBoundedJson(nested(MAX_JSON_DEPTH)))
  t.throws(() => parseBoundedJson(nested(MAX_JSON_DEPTH + 1)), { name: 'JsonDepthError', message: /64 levels/ })
  t.equal(isDeeperThan(nested(2_000_000)), true, 'without recursion')
})
