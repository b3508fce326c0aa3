/** What the picture of a plan and a difference are made of: lines that fit, what is ready, the longest chain, changed words. */
import t from 'tap'
import type { ItemStatus, PlanRecord } from '../../../src/web/app/plan/plan-record.js'
import { createPlanModel } from '../../../src/web/app/plan/plan-model.js'
import { diffTexts } from '../../../src/web/app/lib/text-diff.js'
import { fitText } from '../../../src/web/app/plan/layout/fit-text.js'
import { longestChain } from '../../../src/web/app/plan/layout/longest-chain.js'
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

/** A plan of one group: `statuses` of its items a, b, c …; `links` like 'ab': b waits for a. */
const planOf = (statuses: ItemStatus[], links: string[]): PlanRecord => ({
  groups: [{ id: 'g', title: 'Group', order: 1 }],
  items: statuses.map((status, at) => ({
    id: 'abcdefgh'.charAt(at), group_id: 'g', title: `Item ${'abcdefgh'.charAt(at)}`, status, order: at
  })),
  dependencies: links.map((link) => ({ depends_on: link.charAt(0), item_id: link.charAt(1), kind: 'blocks' })),
  gates: [],
  conflicts: []
})
const titles = (items: Iterable<{ title: string }>): string => Array.from(items, ({ title }) => title.slice(5)).join('')

t.test('a relation does not keep an item from starting', (t) => {
  const plan = planOf(['todo', 'todo'], ['ab'])
  t.equal(titles(createPlanModel(plan).ready), 'a')
  t.equal(titles(createPlanModel({ ...plan, dependencies: plan.dependencies.map((link) => ({ ...link, kind: 'relates' })) }).ready), 'ab')
  t.end()
})

t.test('the longest chain holds what is not done, whatever circles there are', (t) => {
  const chain = (statuses: ItemStatus[], links: string[]): string =>
    titles(longestChain(createPlanModel(planOf(statuses, links))))
  t.equal(chain(['done', 'todo', 'blocked', 'todo'], ['ab', 'bc', 'cd']), 'bcd')
  t.equal(chain(['todo', 'todo', 'todo', 'todo'], ['ab', 'cd', 'bd']), 'abd')
  t.equal(chain(['todo', 'todo'], []), '', 'nothing waits for anything')
  t.equal(chain(['done', 'done'], ['ab']), '')
  t.equal(chain(['todo', 'todo', 'todo'], ['ab', 'bc', 'ca']).length, 3, 'a circle is cut once')
  t.end()
})

const marked = (before: string, after: string): string => diffTexts(before, after)
  .map(({ removed, added, same }) => `${removed && `[-${removed}-]`}${added && `{+${added}+}`}${same}`).join('')

t.test('differences are words within lines, and both texts can be read out of them', (t) => {
  t.equal(marked('Refund within 5 days.', 'Refund within 14 days.'), 'Refund within [-5-]{+14+} days.')
  t.equal(marked('Say the old thing now', 'Say a new word now'), 'Say [-the old thing-]{+a new word+} now', 'a changed phrase is one change')
  t.equal(marked('one\ntwo\nthree\n', 'one\nthree\n'), 'one\n[-two\n-]three\n')
  t.equal(marked('', 'all of it'), '{+all of it+}')
  t.equal(marked('same', 'same'), 'same')
  t.equal(marked('Größe groß', 'Größe klein'), 'Größe [-groß-]{+klein+}', 'letters of every script make words')
  t.equal(marked('👩‍💻 a', '👩‍💻 b'), '👩‍💻 [-a-]{+b+}')
  // A generator of its own: the same texts at every run.
  let seed = 7
  const random = (below: number): number => (seed = seed * 1_103_515_245 + 12_345 & 0x7fffffff) % below
  const text = (): string => Array.from({ length: random(60) }, () => ['a', 'b', ' ', '\n', 'word', '.', '\u202e'][random(7)]).join('')
  for (let run = 0; run < 300; run++) {
    const [before, after] = [text(), text()]
    const parts = diffTexts(before, after)
    const read = (kind: 'removed' | 'added'): string => parts.map((part) => part[kind] + part.same).join('')
    t.ok(read('removed') === before && read('added') === after, `${JSON.stringify(before)} and ${JSON.stringify(after)}`)
  }
  t.end()
})

t.test('texts that have nothing in common are exchanged, whatever their length', (t) => {
  const [before, after] = ['a', 'b'].map((word) => `begin\n${`${word}\n`.repeat(20_000)}end`)
  const lengths = diffTexts(before!, after!).map(({ removed, added, same }) => [removed.length, added.length, same.length])
  t.same(lengths, [[40_009, 40_009, 0]])
  t.end()
})
