// What a tree of hostile markdown may take: its JSON is bounded, whatever the text repeats.
import fc from 'fast-check'
import t from 'tap'
import { markdownTree } from '../../../src/administration/views/markdown-tree.js'
import { createWrittenBytes } from '../../../src/administration/views/written-bytes.js'
import { runs } from '../../helpers/fuzzing.js'

const address = (length: number): string => 'http://x.example/'.padEnd(length, 'y')

const HOSTILE = [
  '[a] ', '[b] ', '![a] ', '*a', '_a_ ', '`a` ', '~~~\n', '|a|b|\n|-|-|\n', '|a', 'a\n=\n', '# a\n', '> ', '1. a\n', '- ', '<b>', '&amp;',
  '\n', '\n\n', '\\', '\u202E', '\u0000', '"', 'é', '😀', `[a]: ${address(490)}\n\n`, `[b]: ${address(2000)}\n\n`, `<${address(300)}>`
]

const hostileText = fc.array(fc.tuple(fc.constantFrom(...HOSTILE), fc.nat(400)), { maxLength: 12 })
  .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''))

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

t.test('trees that share a budget take no more bytes than it has', async () => {
  fc.assert(fc.property(fc.array(hostileText, { maxLength: 3 }), (texts) => {
    const written = createWrittenBytes(20_000)
    const trees = texts.map((text) => markdownTree(text, written))
    return bytesOf(trees.map(({ tree, toc }) => [tree, toc])) <= 20_000 + 20 * texts.length
  }), runs(100))
})

t.test('an address of a record has at most 500 characters', async (t) => {
  const linkTo = (length: number) => JSON.stringify(markdownTree(`[a](${address(length)})`, createWrittenBytes()).tree)
  t.match(linkTo(500), '"href"')
  t.notMatch(linkTo(501), '"href"')
})
