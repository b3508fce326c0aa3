/**
 * Multiplies many vectors with one, sixteen at a time: a WebAssembly module of 305 bytes, which is put together here.
 * Each sum adds one product after the other in single precision, so that it is equal to pgvector's to the last bit.
 * JavaScript, which has no instruction for four numbers at once, takes ten times as long.
 */

/**
 * All five are places in the memory, in bytes. From `rows` to `rowsEnd` there are blocks of sixteen vectors: the first
 * numbers of all sixteen, then their second ones, and so on. The other vector stands between `vector` and `vectorEnd`.
 * A product for each is written from `products` on.
 */
export type ProductKernel =
  (rows: number, rowsEnd: number, vector: number, vectorEnd: number, products: number) => void

/** Vectors in a block. */
export const BLOCK = 16

/** Bytes of a number, of the four numbers that one instruction takes, and of one number each of a block. */
const [NUMBER, QUAD, ROW] = [4, 16, 4 * BLOCK]
const QUADS = Array.from({ length: ROW / QUAD }, (_, quad) => quad)

// Numbers of types, sections and instructions: https://webassembly.github.io/spec/core/binary
const [I32, V128, FUNCTION, NO_RESULT] = [0x7F, 0x7B, 0x60, 0x40]
const [TYPES, IMPORTS, FUNCTIONS, EXPORTS, CODE] = [1, 2, 3, 7, 10]
const [LOOP, END, BRANCH_IF, GET, SET, CONSTANT, LESS, ADD] = [0x03, 0x0B, 0x0D, 0x20, 0x21, 0x41, 0x49, 0x6A]

/** A number without sign, seven bits a byte. */
const unsigned = (value: number): number[] => value < 128 ? [value] : [value % 128 + 128, ...unsigned(value >>> 7)]
/** The same where numbers have a sign: the last byte keeps a bit for it. */
const signed = (value: number): number[] => value < 64 ? [value] : [value % 128 + 128, ...signed(value >>> 7)]
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes]
const listed = (items: ReadonlyArray<readonly number[]>): number[] => [...unsigned(items.length), ...items.flat()]
const section = (id: number, ...items: ReadonlyArray<readonly number[]>): number[] => [id, ...sized(listed(items))]
const name = (text: string): number[] => sized([...text].map((letter) => letter.charCodeAt(0)))

/** An instruction for four numbers. */
const simd = (number: number): number[] => [0xFD, ...unsigned(number)]
/** Where in the memory, beside the place on the stack; all is aligned to so many bytes, a power of two. */
const at = (offset: number, alignment: number): number[] => [Math.log2(alignment), ...unsigned(offset)]
const load = (offset: number): number[] => [...simd(0), ...at(offset, QUAD)]
const store = (offset: number): number[] => [...simd(11), ...at(offset, QUAD)]
const loadInAllFour = [...simd(9), ...at(0, NUMBER)]
const zeros = [...simd(12), ...Array.from({ length: QUAD }, () => 0)]
const [plus, times] = [simd(228), simd(230)]
const get = (variable: number): number[] => [GET, variable]
const set = (variable: number): number[] => [SET, variable]
const advance = (variable: number, bytes: number): number[] =>
  [...get(variable), CONSTANT, ...signed(bytes), ADD, ...set(variable)]
/** Does it again until the first variable has reached the other. */
const until = (variable: number, end: number, body: readonly number[]): number[] =>
  [LOOP, NO_RESULT, ...body, ...get(variable), ...get(end), LESS, BRANCH_IF, 0, END]

const [ROWS, ROWS_END, VECTOR, VECTOR_END, PRODUCTS, NEXT, FACTOR, SUMS] = [0, 1, 2, 3, 4, 5, 6, 7]
const sumOf = (quad: number): number => SUMS + quad

const body = until(ROWS, ROWS_END, [
  ...get(VECTOR), ...set(NEXT),
  ...QUADS.flatMap((quad) => [...zeros, ...set(sumOf(quad))]),
  ...until(NEXT, VECTOR_END, [
    ...get(NEXT), ...loadInAllFour, ...set(FACTOR),
    ...QUADS.flatMap((quad) => [
      ...get(sumOf(quad)), ...get(ROWS), ...load(quad * QUAD), ...get(FACTOR), ...times, ...plus, ...set(sumOf(quad))
    ]),
    ...advance(ROWS, ROW),
    ...advance(NEXT, NUMBER)
  ]),
  ...QUADS.flatMap((quad) => [...get(PRODUCTS), ...get(sumOf(quad)), ...store(quad * QUAD)]),
  ...advance(PRODUCTS, ROW)
])

const variables = listed([[1, I32], [1 + QUADS.length, V128]])

const MODULE = Uint8Array.from([
  0x00, 0x61, 0x73, 0x6D, 0x01, 0x00, 0x00, 0x00,
  ...section(TYPES, [FUNCTION, ...listed([[I32], [I32], [I32], [I32], [I32]]), ...listed([])]),
  // A memory of any size.
  ...section(IMPORTS, [...name('env'), ...name('memory'), 2, 0, 0]),
  ...section(FUNCTIONS, [0]),
  ...section(EXPORTS, [...name('multiply'), 0, 0]),
  ...section(CODE, sized([...variables, ...body, END]))
])

/** Creates the function for a memory. */
export const createProductKernel = (memory: WebAssembly.Memory): ProductKernel => {
  // Processors of before 2010 have no such instructions.
  if (!WebAssembly.validate(MODULE)) return createScalarKernel(memory)
  const { exports: { multiply } } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { env: { memory } })
  if (!multiply) throw new Error('The module has no function')
  return multiply
}

/** The same in JavaScript. */
export const createScalarKernel = (memory: WebAssembly.Memory): ProductKernel =>
  (rows, rowsEnd, vector, vectorEnd, products) => {
    const numbers = new Float32Array(memory.buffer)
    const blockBytes = (vectorEnd - vector) * BLOCK
    for (let block = rows, to = products / NUMBER; block < rowsEnd; block += blockBytes) {
      for (let lane = 0; lane < BLOCK; lane++, to++) {
        let sum = 0
        let from = block / NUMBER + lane
        for (let i = vector / NUMBER; i < vectorEnd / NUMBER; i++, from += BLOCK) {
          sum = Math.fround(sum + Math.fround(numbers[from]! * numbers[i]!))
        }
        numbers[to] = sum
      }
    }
  }
