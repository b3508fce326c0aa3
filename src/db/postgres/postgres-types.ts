/** Parses PostgreSQL's values as PGlite does, so that readers need not know which database they have. */
import pg from 'pg'

const { INT8 } = pg.types.builtins
// The driver supports arrays of this type, though its types do not list it.
const INT8_ARRAY: number = 1016
const parseArray: (text: string) => unknown = pg.types.getTypeParser(INT8_ARRAY)

const parsers = new Map<number, (text: string) => unknown>([
  [INT8, (text) => toNumber(text)],
  [INT8_ARRAY, (text) => eachToNumber(parseArray(text))]
])

export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (format !== 'binary' && parsers.get(id)) || pg.types.getTypeParser(id, format)
}

const toNumber = (text: string): number | bigint => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

const eachToNumber = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(eachToNumber) : typeof value === 'string' ? toNumber(value) : value
