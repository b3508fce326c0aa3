import t from 'tap'
import { fitText } from '../../../src/web/app/plan/layout/fit-text.js'
import { plainLines, plainText } from '../../../src/web/app/plan/plain-text.js'

const byLength = (text: string): number => text.length

t.test('a title becomes one plain line', (t) => {
  t.equal(plainText('Implement **the** `kubectl exec`\n  behind [a flag](https://example.com/x)'), 'Implement the kubectl exec behind a flag')
  t.equal(plainText('Set KUBECTL_PORT_FORWARD and __init__.py, 2*3*4'), 'Set KUBECTL_PORT_FORWARD and __init__.py, 2*3*4')
  t.equal(plainText('an *emphasised* and _another_, __strong__.'), 'an emphasised and another, strong.')
  t.equal(plainText('<script>alert(1)</script>'), '<script>alert(1)</script>', 'markup is text')
  t.equal(plainText('abc\u202edef\u2066'), 'abc\\u202edef\\u2066', 'direction characters are seen')
  t.equal(plainText('👩‍💻 ❤️'), '👩‍💻 ❤️', 'emoji stay whole')
  t.equal(plainLines('one\r\n\ttwo\u200bthree'), 'one\n two\\u200bthree')
  t.end()
})

t.test('a text is broken at words, and ends with an ellipsis where it does not fit', (t) => {
  t.strictSame(fitText('one two three', 7, 2, byLength), ['one two', 'three'])
  t.strictSame(fitText('one two three four', 7, 2, byLength), ['one two', 'three…'])
  t.strictSame(fitText('one', 7, 2, byLength), ['one'])
  t.strictSame(fitText('', 7, 2, byLength), [])
  t.strictSame(fitText('one two three four five', 9, 1, byLength), ['one two…'])
  t.strictSame(fitText('one two six ten', 7, 2, byLength), ['one two', 'six ten'])
  t.end()
})

t.test('a word wider than a line is broken between graphemes', (t) => {
  t.strictSame(fitText('abcdefghij', 4, 2, byLength), ['abcd', 'efg…'])
  t.strictSame(fitText('abcdefgh', 4, 2, byLength), ['abcd', 'efgh'])
  const [line = ''] = fitText('👩‍💻'.repeat(10), 12, 1, byLength)
  t.match(line, /^(?:👩‍💻)+…$/u)
  t.end()
})

t.test('no line is wider than asked, and a megabyte takes no longer than a card', (t) => {
  let measured = 0
  const counting = (text: string): number => {
    measured++
    return text.length
  }
  for (const text of ['x'.repeat(1_000_000), 'word '.repeat(200_000), 'ÄÖÜ 漢字かな '.repeat(1000)]) {
    const lines = fitText(text, 24, 2, counting)
    t.equal(lines.length, 2)
    t.ok(lines.every(({ length }) => length <= 24))
    t.match(lines[1], /…$/)
  }
  t.ok(measured < 1000)
  t.end()
})
