/**
 * Inputs made from valid ones, and how many of them, and of the rows of long tables, are tried: a quarter in each run, all with
 * FUZZ_FACTOR=1, and a long run of the same tests with FUZZ_FACTOR=100.
 */
import fc from 'fast-check'

const factor = Number(process.env['FUZZ_FACTOR']) || 0.25

export const runs = (count: number): { numRuns: number } => ({ numRuns: Math.ceil(count * factor) })

const step = Math.max(1, Math.round(1 / factor))
const first = Math.floor(Math.random() * step)

/** Each fourth row, from one that chance chooses; all rows with FUZZ_FACTOR=1. */
export const some = <Row>(rows: readonly Row[]): Row[] => rows.filter((_, index) => index % step === first)

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Each code point but the halves of a pair: the unit `binary` of fast-check, which lists all of them first, for two seconds. */
const codePoint = fc.nat(0x10ffff - SURROGATES.count).map(
  (place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count),
  // For the words that fast-check itself mixes in, such as `__proto__`.
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) ?? NaN : NaN
    if (!(point >= 0) || text !== String.fromCodePoint(point)) throw new Error('no single code point')
    return point < SURROGATES.first ? point : point - SURROGATES.count
  })

/** Texts of any characters; `maxLength` counts code points. */
export const anyText = (constraints: { maxLength?: number } = {}): fc.Arbitrary<string> => fc.string({ ...constraints, unit: codePoint })

/** A letter that an HTTP header and a base64url text may hold, and some that only the header may. */
const letter = fc.constantFrom(...'AZaz09-_.:=+/%~')

/** The text with one to three places cut, doubled or replaced; never the text itself. */
export const altered = (text: string): fc.Arbitrary<string> => {
  const change = fc.record({ at: fc.nat(text.length), cut: fc.nat(3), put: fc.array(letter, { maxLength: 3 }) })
  return fc.array(change, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((now, { at, cut, put }) => now.slice(0, at) + put.join('') + now.slice(at + cut), text))
    .filter((other) => other !== text)
}

/** The JSON value, base64url-encoded, with one part replaced by anything: what a forger of unsigned tokens would send. */
export const forged = (parts: readonly unknown[]): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(parts.length), fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(1e308, -1, 1.5, '\0', '__proto__', '9'.repeat(40))))
    .map(([at, value]) => Buffer.from(JSON.stringify(parts.with(at === parts.length ? 0 : at, value))).toString('base64url'))
