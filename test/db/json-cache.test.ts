// Parsed JSON is shared while its text is the same, up to a bound on all texts together.
import t from 'tap'
import { jsonCache } from '../../src/db/json-cache.js'

const text = (value: string) => JSON.stringify({ value })
const parser = (options?: Parameters<typeof jsonCache>[1]) => jsonCache((parsed) => ({ parsed }), options)

t.test('the same text of a key gives the same object, another text another one', async (t) => {
  const parse = parser()
  const first = parse('a', text('x'))
  t.same(first, { parsed: { value: 'x' } })
  t.equal(parse('a', text('x')), first)
  t.not(parse('b', text('x')), first)
  t.same(parse('a', text('y')), { parsed: { value: 'y' } })
  t.not(parse('a', text('x')), first, 'the text before is forgotten')
})

t.test('what was asked for longest ago goes first when all texts together are too long', async (t) => {
  const [a, b, c] = ['a', 'b', 'c'].map((value) => text(value.repeat(40))) as [string, string, string]
  const parse = parser({ maxTotalLength: 2 * a.length })
  const firsts = { a: parse('a', a), b: parse('b', b) }
  t.equal(parse('a', a), firsts.a)
  parse('c', c)
  t.equal(parse('a', a), firsts.a, 'asked for again')
  t.not(parse('b', b), firsts.b)
})

t.test('a text that is longer than allowed is parsed each time', async (t) => {
  const parse = parser({ maxLength: 20 })
  const short = parse('a', text('x'))
  t.equal(parse('a', text('x')), short)
  const long = text('x'.repeat(20))
  t.not(parse('a', long), parse('a', long))
})
