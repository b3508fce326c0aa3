// Rows of a file are the same whether it is in memory or read by the row, however many are looked for.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { bytesInFile, bytesInMemory, type ByteRows } from '../../../../src/search/embedders/word-vectors/byte-source.js'

const [HEAD, ROW, ROWS] = [5, 3, 10_000]
const content = Buffer.from(Array.from({ length: HEAD + ROW * ROWS }, (_, at) => at * 31 >> 3 & 255))

const rowOf = ({ bytes, place }: ByteRows, row: number): number[] => [...bytes.subarray(place(row), place(row) + ROW)]

t.test('each row of a file', async (t) => {
  const path = join(t.testdir(), 'rows.bin')
  writeFileSync(path, content)
  const file = bytesInFile(pathToFileURL(path))
  t.teardown(() => file.close())
  const memory = bytesInMemory(content)
  t.equal(file.length, memory.length)
  t.same(file.read(1, 9), memory.read(1, 9))
  t.same([...memory.read(1, 9)], [...content.subarray(1, 9)])
  const [one, other] = [file.rows(HEAD, ROW), memory.rows(HEAD, ROW)]
  t.ok(one.bytes.length < ROW * ROWS, 'not all of them are held')
  // In their order and back, near ones and far ones.
  const order = [...Array(ROWS).keys()]
  const wrong = [...order, ...order.toReversed(), ...order.map((n) => n * 4099 % ROWS)]
    .filter((row) => String(rowOf(one, row)) !== String(rowOf(other, row)))
  t.strictSame(wrong, [])
  t.strictSame(rowOf(one, 7), [...content.subarray(HEAD + 7 * ROW, HEAD + 8 * ROW)])
})

t.test('a file that is cut short', async (t) => {
  const path = join(t.testdir(), 'rows.bin')
  writeFileSync(path, content)
  const file = bytesInFile(pathToFileURL(path))
  t.teardown(() => file.close())
  t.throws(() => file.read(0, content.length + 1), /cut short/)
  const rows = file.rows(HEAD, ROW)
  t.throws(() => rows.place(ROWS), /cut short/)
  t.throws(() => rows.place(ROWS), /cut short/, 'again: it is not taken for another row')
  t.strictSame(rowOf(rows, ROWS - 1), [...content.subarray(-ROW)])
  t.throws(() => bytesInFile(new URL('none.bin', pathToFileURL(path))), { code: 'ENOENT' })
})
