/** How PostgreSQL's values arrive: as the embedded database gives them, so that no reader asks which one it has. */
import pg from 'pg'

const { INT8 } = pg.types.builtins
// The driver reads arrays of these, though its types do not list them.
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
