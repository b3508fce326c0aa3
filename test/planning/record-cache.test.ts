// The record cache gives what its revisions prove, within its bound.
import t from 'tap'
import type { WorkspaceRevisions } from '../../src/lib/principal.js'
import { createRecordCache } from '../../src/planning/record-cache.js'

const revisions = (byWorkspace: Record<string, string>, readAt = performance.now()): WorkspaceRevisions =>
  ({ readAt, byWorkspace: new Map(Object.entries(byWorkspace)) })
const now = revisions({ one: 'a', two: 'b' })

t.test('a value is given only to who sees its workspace at the same revision', async (t) => {
  const cache = createRecordCache()
  cache.set('record', 'one', 'text', now)
  t.match(cache.get('record', now), { workspace: 'one', value: 'text' })
  t.match(cache.get('record', revisions({ one: 'a' })), { value: 'text' }, 'also to another caller')
  t.equal(cache.get('record', revisions({ one: 'later', two: 'b' })), undefined)
  t.equal(cache.get('record', revisions({ two: 'a' })), undefined, 'not to who sees another workspace')
  t.equal(cache.get('record', revisions({})), undefined)
  t.match(cache.get('record', now), { value: 'text' }, 'and those who may not see it do not push it out')
})

t.test('revisions that were read long ago prove nothing', async (t) => {
  const cache = createRecordCache({ maxProofAgeMs: 1000 })
  cache.set('record', 'one', 'text', now)
  t.equal(cache.get('record', revisions({ one: 'a' }, performance.now() - 1001)), undefined)
})

t.test('a record of a workspace that the caller cannot see is not remembered, and pushes out nothing', async (t) => {
  const cache = createRecordCache()
  cache.set('record', 'one', 'text', now)
  cache.set('record', 'hidden', 'other text', now)
  t.match(cache.get('record', now), { workspace: 'one', value: 'text' })
})

t.test('the least recently used make room, and a value that is too large is not remembered', async (t) => {
  const cache = createRecordCache({ maxBytes: 100_000 })
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
