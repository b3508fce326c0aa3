import t from 'tap'
import { diffTexts } from '../../src/web/app/lib/text-diff.js'

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
