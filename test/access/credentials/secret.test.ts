// The text of credentials: enough randomness, recognisable, a slip of the finger told from a wrong key.
import fc from 'fast-check'
import t from 'tap'
import { diagnoseToken, hasChecksum, mint, parseTokenKind, tagOf } from '../../../src/access/credentials/secret.js'

t.test('one changed character of a key is a mistyped key', async () => {
  const key = mint('api_key')
  fc.assert(fc.property(fc.integer({ min: 8, max: key.length - 1 }), fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'), (at, letter) =>
    letter === key[at] || parseTokenKind(key.slice(0, at) + letter + key.slice(at + 1)) === 'mistyped'))
})

t.test('a token has the tag of its deployment and a checksum, in the 32 characters that it always had', async (t) => {
  const tokens = new Set(Array.from({ length: 200 }, () => mint('personal_access_token', 'ABC234')))
  t.equal(tokens.size, 200)
  for (const token of tokens) {
    t.match(token, /^svc_pat_[A-Z2-7]{32}$/)
    t.equal(parseTokenKind(token), 'personal_access_token')
    t.ok(hasChecksum(token))
    t.equal(tagOf(token), 'ABC234')
  }
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567']
  const [token] = [...tokens]
  let fitting = 0
  for (let at = 8; at < token!.length; at++) {
    for (const letter of letters) {
      const other = token!.slice(0, at) + letter + token!.slice(at + 1)
      t.equal(parseTokenKind(other), 'personal_access_token', 'the database decides')
      if (other !== token && hasChecksum(other)) fitting++
    }
  }
  t.ok(fitting <= 1, `of ${32 * 31} mistyped tokens ${fitting} have a checksum that fits`)
  t.equal(diagnoseToken(token!.slice(0, -1)), 'cut')
})

t.test('a token of before, 32 random characters, stays one; noise has no checksum', async (t) => {
  const old = Array.from({ length: 200 }, () => mint('personal_access_token'))
  for (const token of old) t.equal(parseTokenKind(token), 'personal_access_token')
  t.ok(old.filter(hasChecksum).length <= 1)
  t.equal(tagOf(`svc_pat_${'A'.repeat(32)}`), undefined)
  t.notOk(['', 'svc_pat_', 'noise', mint('api_key').slice(0, -1)].some(hasChecksum))
  t.ok(hasChecksum(mint('api_key')) && hasChecksum(mint('api_key', 'ABC234')))
})
