/**
 * The embedded database's statements, prepared: a text is parsed when it is first asked, and from its sixth time on
 * planned no more.
 */
import { messages, protocol, type PGlite } from '@electric-sql/pglite'

// The longest untouched makes room: the plan of a large one takes some hundred kilobytes.
const MAX_STATEMENTS = 150
// Plans are for tables as large as they were: nobody else sees to it that they are made anew when those have grown.
const ROWS_WRITTEN = 500
// Every call writes some of these, and no plan that takes long to make reads them: under load all plans would be made
// anew every second.
const WRITTEN_BY_EVERY_CALL = /^\s*(?:insert into audit_events|update credentials)\b/
const KEPT_FOR_MS = 60_000

interface Prepared {
  name: string
  /** Types by their numbers in the database. */
  parameters: readonly number[]
  columns: ReadonlyArray<{ name: string, dataTypeID: number }>
}

export interface Statements {
  /** One after the other: whoever asks waits for the one before. */
  run<R> (text: string, values: readonly unknown[]): Promise<R[]>
  /** For when what they read has another shape. */
  forget (): Promise<void>
}

const { serialize } = protocol

/** Returns a runner of statements that prepares each text once. */
export const pgliteStatements = (
  pglite: Pick<PGlite, 'execProtocolStream' | 'serializers' | 'parsers'>
): Statements => {
  const statements = new Map<string, Prepared>()
  let preparedCount = 0
  let rowsWritten = 0
  let keptUntil = performance.now() + KEPT_FOR_MS

  // Whatever of it fails, the database goes on with what comes after `sync`.
  const say = (...parts: Uint8Array[]): Promise<messages.BackendMessage[]> =>
    pglite.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), {})

  const parse = async (text: string): Promise<Prepared> => {
    const name = `s${++preparedCount}`
    const answer = await say(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
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
      await say(serialize.close({ type: 'S', name: oldest[1].name }))
    }
    return prepared
  }

  const forget = async (): Promise<void> => {
    statements.clear()
    await pglite.execProtocolStream(serialize.query('deallocate all'), {})
    rowsWritten = 0
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
    async run<R> (text: string, values: readonly unknown[]) {
      const { name, parameters, columns } = await prepare(text)
      const bound = values.map((value, index) => toParameter(value, parameters[index]))
      const answer = await say(serialize.bind({ statement: name, values: bound }), serialize.execute())
      if (!WRITTEN_BY_EVERY_CALL.test(text)) {
        const complete = answer.find((message) => message instanceof messages.CommandCompleteMessage)
        rowsWritten += Number(WRITTEN.exec(complete?.text ?? '')?.[1] ?? 0)
      }
      if (rowsWritten > ROWS_WRITTEN || performance.now() > keptUntil) await forget()
      return answer.filter((message) => message instanceof messages.DataRowMessage).map(({ fields }) =>
        Object.fromEntries(columns.map(({ name, dataTypeID }, index) =>
          [name, read(fields[index] ?? null, dataTypeID)])) as R)
    },

    forget
  }
}

const WRITTEN = /^(?:INSERT 0|UPDATE|DELETE) (\d+)/
