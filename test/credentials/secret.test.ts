// The text of credentials: enough randomness, recognisable, a slip of the finger told from a wrong key.
import fc from 'fast-check'
import t from 'tap'
import { hintOf, mint, recognise } from '../../src/credentials/secret.js'

t.test('what is minted is recognised, and never twice the same', async (t) => {
  const keys = new Set(Array.from({ length: 200 }, () => mint('api_key')))
  t.equal(keys.size, 200)
  for (const key of keys) {
    t.match(key, /^svc_key_[A-Z2-7]{40}$/)
    t.equal(recognise(key), 'api_key')
  }
  const token = mint('personal_access_token')
  t.match(token, /^svc_pat_[A-Z2-7]{32}$/)
  t.equal(recognise(token), 'personal_access_token')
  t.equal(hintOf(token).length, 12)
})

t.test('one changed character of a key is a mistyped key', async () => {
  const key = mint('api_key')
  fc.assert(fc.property(fc.integer({ min: 8, max: key.length - 1 }), fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'), (at, letter) =>
    letter === key[at] || recognise(key.slice(0, at) + letter + key.slice(at + 1)) === 'mistyped'))
})

t.test('cut, padded, lower-cased, other', async (t) => {
  const key = mint('api_key')
  for (const text of [key.slice(0, -1), key + 'A', key.toLowerCase(), 'svc_key_', 'svc_pat_', mint('personal_access_token') + 'A']) {
    t.equal(recognise(text), 'mistyped', text)
  }
  for (const text of ['', 'sk-abc', 'Bearer', `x${key}`]) t.equal(recognise(text), 'malformed', text)
})
