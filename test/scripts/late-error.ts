// For worker.test.ts: an error that no one catches, while a test waits.
import t from 'tap'

t.pass('before')
t.test('a test that never ends', async () => {
  setTimeout(() => { throw new Error('too late\nby far') })
  await new Promise(() => {})
})
