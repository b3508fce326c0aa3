// Windows of months: without gaps, newest first, and ended by the oldest time that is wanted.
import t from 'tap'
import { monthWindows } from '../../../src/db/sql/month-windows.js'

t.test('ever longer windows without gaps, and then the rest', async (t) => {
  t.strictSame([...monthWindows('2026-03-31T23:59:59.999Z', undefined)], [
    { since: '2026-03-01T00:00:00.000Z' },
    { since: '2026-01-01T00:00:00.000Z', until: '2026-03-01T00:00:00.000Z' },
    { since: '2025-09-01T00:00:00.000Z', until: '2026-01-01T00:00:00.000Z' },
    { since: '2025-01-01T00:00:00.000Z', until: '2025-09-01T00:00:00.000Z' },
    { until: '2025-01-01T00:00:00.000Z' }
  ])
})

t.test('ends with the window of the oldest time', async (t) => {
  const of = (oldest: string) => [...monthWindows('2026-03-15T00:00:00Z', oldest)].length
  t.strictSame(['2026-03-10T00:00:00Z', '2026-03-01T00:00:00Z', '2026-02-28T23:59:59Z', '2024-01-01T00:00:00Z'].map(of), [1, 1, 2, 5])
})

t.test('a time in another zone, none, and times that have no month', async (t) => {
  t.strictSame([...monthWindows('2026-03-01T00:30:00+02:00', '2026-02-10T00:00:00Z')], [{ since: '2026-02-01T00:00:00.000Z' }])
  t.equal([...monthWindows(undefined, undefined)].length, 5)
  for (const odd of ['0099-01-01T00:00:00Z', 'infinity']) t.strictSame([...monthWindows(odd, undefined)], [{}])
})
