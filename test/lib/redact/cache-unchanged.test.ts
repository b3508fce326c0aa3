// Texts that come again are not looked through again, and what was redacted is not remembered.
import t from 'tap'
import { redactText } from '../../../src/lib/redact/redact.js'
import { cacheUnchanged } from '../../../src/lib/redact/cache-unchanged.js'

const counted = () => {
  const calls: string[] = []
  const redact = cacheUnchanged((text) => {
    calls.push(text)
    return redactText(text)
  })
  return { calls, redact }
}

t.test('a text without a credential is looked through once', async (t) => {
  const { calls, redact } = counted()
  t.equal(redact('claude-code'), 'claude-code')
  t.equal(redact('claude-code'), 'claude-code')
  t.same(calls, ['claude-code'])
})

t.test('a text with a credential is redacted each time', async (t) => {
  const { calls, redact } = counted()
  for (let n = 0; n < 2; n++) t.equal(redact('svc_pat_ABCDEFGH'), 'svc_pat_[redacted]')
  t.equal(calls.length, 2)
})

t.test('any number of texts, also long ones, takes bounded memory', async (t) => {
  const { calls, redact } = counted()
  const long = 'x'.repeat(300)
  redact(long)
  redact(long)
  t.equal(calls.length, 2, 'a long one is not remembered')
  for (let n = 0; n < 600; n++) redact(`text ${n}`)
  redact('text 0')
  t.equal(calls.length, 603, 'the first of many was forgotten')
})
