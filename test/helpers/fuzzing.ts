/**
 * Inputs made from valid ones, and how many of them are tried: a quarter of the count in each run, all with FUZZ_FACTOR=1, and a long run
 * of the same tests with FUZZ_FACTOR=100.
 */
import fc from 'fast-check'

const factor = Number(process.env['FUZZ_FACTOR']) || 0.25

export const runs = (count: number): { numRuns: number } => ({ numRuns: Math.ceil(count * factor) })

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
