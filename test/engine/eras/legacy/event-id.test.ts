import t from 'tap'
import { readEventId } from '../../../../src/engine/eras/legacy/event-id.js'

t.test('ids that this server makes', async (t) => {
  t.same(readEventId('c-abc_DEF-1:7'), { stream: 'c-abc_DEF-1', number: 7 })
  t.same(readEventId('c-a:999999999999999'), { stream: 'c-a', number: 999_999_999_999_999 })
  t.same(readEventId('l-a:12.3.signature'), { stream: 'l-a', place: '12.3.signature' })
})

t.test('everything else is none', async (t) => {
  const forged = [
    'c-a:0.5', 'c-a:-1', 'c-a:0x1', 'c-a:1e3', 'c-a: 1', 'c-a:1 ', 'c-a:', 'c-a', ':1', 'x-a:1', 'c-a:1:2', 'c-a:1\n', 'c-:1',
    `c-a:${'9'.repeat(16)}`, `c-${'a'.repeat(39)}:1`, 'l-a:', 'l-a:a b', `l-a:${'a'.repeat(101)}`, ''
  ]
  for (const id of forged) t.equal(readEventId(id), undefined, JSON.stringify(id))
})
