/**
 * The embedded database's statements, prepared: each text is parsed when it is first asked, and from its sixth time on
 * planned no more. `pglite.query` plans each time: 1.1 ms for the statement that verifies a credential, which a
 * prepared one answers in 0.08, and several for a search.
 */
import { messages, protocol, type PGlite } from '@electric-sql/pglite'

// The longest untouched makes room: the plan of a large one takes some hundred kilobytes.
const MAX_STATEMENTS = 150
// Plans are for tables as large as they were, and PGlite does not make them anew when those have grown.
const MANY_ROWS = 100
const KEPT_FOR_MS = 60_000

interface Prepared {
  name: string
  /** Types by their numbers in the database. */
  parameters: readonly number[]
  columns: ReadonlyArray<{ name: string, dataTypeID: number }>
}

const { serialize } = protocol

export const pgliteStatements = (pglite: Pick<PGlite, 'execProtocolStream' | 'serializers' | 'parsers'>) => {
  const statements = new Map<string, Prepared>()
  let preparedCount = 0
  let keptUntil = performance.now() + KEPT_FOR_MS

  // Whatever of it fails, the database goes on with what comes after `sync`.
  const send = (...parts: Uint8Array[]): Promise<messages.BackendMessage[]> =>
    pglite.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), {})

  const parse = async (text: string): Promise<Prepared> => {
    const name = `s${++preparedCount}`
    const answer = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
    return {
      name,
      parameters: answer.find((message) => message instanceof messages.ParameterDescriptionMessage)?.dataTypeIDs ?? [],
      columns: answer.find((message) => message instanceof messages.RowDescriptionMessage)?.fields ?? []
    }
  }

  const prepare = async (text: string): Promise<Prepared> => {
    const prepared = statements.get(text) ?? await parse(text)
    statements.delete(text)
    statements.set(text, prepared)
    const [oldest] = statements
    if (oldest && statements.size > MAX_STATEMENTS) {
      statements.delete(oldest[0])
      await send(serialize.close({ type: 'S', name: oldest[1].name }))
    }
    return prepared
  }

  const forget = async (): Promise<void> => {
    statements.clear()
    await pglite.execProtocolStream(serialize.query('deallocate all'), {})
    keptUntil = performance.now() + KEPT_FOR_MS
  }

  // Bytes are sent as they are, for any type that has a form in bytes.
  const toParameter = (value: unknown, type = 0): string | Uint8Array | null => {
    if (value === null || value === undefined) return null
    return value instanceof Uint8Array ? value : pglite.serializers[type]?.(value) ?? String(value)
  }

  const read = (text: string | null, type: number): unknown => {
    const parser = pglite.parsers[type]
    return text !== null && parser ? parser(text, type) : text
  }

  return {
    /** Call it when the call before has settled. */
    async run<R> (text: string, values: readonly unknown[]): Promise<R[]> {
      const { name, parameters, columns } = await prepare(text)
      const bound = values.map((value, index) => toParameter(value, parameters[index]))
      const answer = await send(serialize.bind({ statement: name, values: bound }), serialize.execute())
      const rows = answer.flatMap((message) => message instanceof messages.DataRowMessage
        ? [Object.fromEntries(
            columns.map(({ name, dataTypeID }, index) => [name, read(message.fields[index] ?? null, dataTypeID)]))]
        : [])
      const complete = answer.find((message) => message instanceof messages.CommandCompleteMessage)
      const written = Number(WRITTEN.exec(complete?.text ?? '')?.[1] ?? 0)
      if (written >= MANY_ROWS || performance.now() > keptUntil) await forget()
      // The author of the statement says what its rows are.
      return rows as R[]
    },

    /** For when what they read has another shape. */
    forget
  }
}

const WRITTEN = /^(?:INSERT 0|UPDATE|DELETE) (\d+)/
