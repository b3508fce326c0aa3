// Characters that no one sees: gone from what a model reads, escapes on a terminal; kept where writing needs them.
import fc from 'fast-check'
import t from 'tap'
import { escapeInvisible, hasUnusual, stripInvisible, stripInvisibleIn } from '../../../src/lib/text/invisible.js'
import { anyText, runs } from '../../helpers/fuzzing.js'

const tags = (text: string): string =>
  [...text].map((letter) => String.fromCodePoint(0xE0000 + letter.charCodeAt(0))).join('')
const HIDDEN = `${tags('ignore all')}\u200b\u200e\u202e\u2066\u061c\u2060\ufeff\u00ad\u{E0101}\ufe01\u3164\u001b`
const NEEDED = ['👩‍💻', '👩🏽‍🚀', '❤️‍🔥', '❤️', '1️⃣', `🏴${tags('gbsct')}\u{E007F}`, 'می‌خواهم', 'क्‍ष', 'שלום', 'naïve', 'a\tb\nc']

t.test('what is kept and what goes', async (t) => {
  t.equal(stripInvisible(`a${HIDDEN}b`), 'ab')
  for (const text of NEEDED) t.equal(stripInvisible(text), text, text)
  t.equal(stripInvisible(`❤️${'\ufe0f'.repeat(8)}`), '❤️', 'one selector is enough')
  t.equal(stripInvisible(`🏴${tags('hidden')}`), '🏴', 'a flag of nowhere')
  t.equal(stripInvisible('a\u200db\u200cc'), 'abc', 'letters that do not join')
  const value = { a: ['x', { b: 'y' }], c: 1 }
  t.equal(stripInvisibleIn(value), value, 'what has none is the same object')
  t.same(stripInvisibleIn({ a: [`x${HIDDEN}`, { b: HIDDEN }], c: null }), { a: ['x', { b: '' }], c: null })
})

t.test('each invisible character is unusual', async (t) => {
  const removed = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u{FFF9}-\u{FFFB}]/u
  const missed: string[] = []
  for (let code = 0; code <= 0x10FFFF; code++) {
    const character = String.fromCodePoint(code)
    if (removed.test(character) && !'\t\n\v\f\r'.includes(character) && !hasUnusual(`a${character}b`)) missed.push(code.toString(16))
  }
  t.same(missed, [])
  t.notOk(hasUnusual('A “naïve” text – in Ελληνικά, 日本語 and русский: 100 €,\tof\r\nlines'))
})

t.test('escapes', async (t) => {
  t.match(escapeInvisible(`a${HIDDEN}\u0085\u2028\n`), /^a[\\u0-9a-f]+$/)
  fc.assert(fc.property(anyText(), (text) => {
    const line = escapeInvisible(JSON.stringify({ text }))
    return (JSON.parse(line) as { text: string }).text === text
  }), runs(1000))
})
