// The record cache forgets in time, and keeps its bound. What its revisions prove: test/server/record-cache.test.ts.
import t from 'tap'
import type { WorkspaceRevisions } from '../../src/lib/principal.js'
import { createRecordCache } from '../../src/planning/record-cache.js'

const revisions = (byWorkspace: Record<string, string>, readAt = performance.now()): WorkspaceRevisions =>
  ({ readAt, byWorkspace: new Map(Object.entries(byWorkspace)) })
const now = revisions({ one: 'a', two: 'b' })

t.test('revisions that were read long ago prove nothing', async (t) => {
  const cache = createRecordCache()
  cache.set('record', 'one', 'text', now)
  t.equal(cache.get('record', revisions({ one: 'a' }, performance.now() - 1001)), undefined)
})

t.test('the least recently used make room, and a value that is too large is not remembered', async (t) => {
  const cache = createRecordCache(100_000)
  const text = 'x'.repeat(1000)
  for (let n = 0; n < 10; n++) cache.set(`record ${n}`, 'one', text, now)
  t.ok(cache.get('record 0', now))
  for (let n = 10; n < 25; n++) cache.set(`record ${n}`, 'one', text, now)
  t.ok(cache.get('record 0', now), 'it was used')
  t.equal(cache.get('record 1', now), undefined)
  t.ok(cache.get('record 24', now))
  const there = Array.from({ length: 25 }, (_, n) => cache.get(`record ${n}`, now)).filter(Boolean).length
  t.ok(there * 5 * 1000 <= 100_000, `${there} values`)
  cache.set('record 24', 'one', 'y'.repeat(10_000), now)
  t.equal(cache.get('record 24', now), undefined, 'nor is what it had before')
  cache.set('record 0', 'one', 'short', now)
  t.match(cache.get('record 0', now), { value: 'short' })
})
