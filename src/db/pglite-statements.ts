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

export interface PgliteStatement { text: string, values: readonly unknown[] }

export type StatementOutcome = { rows: unknown[] } | { error: unknown }

export interface Statements {
  /** One after the other: whoever asks waits for the one before. */
  run<R> (text: string, values: readonly unknown[]): Promise<R[]>
  /**
   * Runs statements in order, in one message and one transaction. When one fails, all are taken back and run one by
   * one, so that each has its own outcome.
   */
  runTogether (statements: readonly PgliteStatement[]): Promise<StatementOutcome[]>
  /** For when what they read has another shape. */
  forget (): Promise<void>
}

interface SentStatements {
  statements: readonly PgliteStatement[]
  all: readonly Prepared[]
  answer: readonly messages.BackendMessage[]
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

  const toRow = ({ fields }: messages.DataRowMessage, { columns }: Prepared): Record<string, unknown> =>
    Object.fromEntries(columns.map(({ name, dataTypeID }, index) => [name, read(fields[index] ?? null, dataTypeID)]))

  /** Carries statements out in one transaction. Rejects when one fails: then all are taken back. */
  const send = async (statements: readonly PgliteStatement[]): Promise<SentStatements> => {
    const all: Prepared[] = []
    for (const { text } of statements) all.push(await prepare(text))
    const answer = await say(...statements.flatMap(({ values }, place) => {
      const { name = '', parameters = [] } = all[place] ?? {}
      const bound = values.map((value, index) => toParameter(value, parameters[index]))
      return [serialize.bind({ statement: name, values: bound }), serialize.execute()]
    }))
    return { statements, all, answer }
  }

  /** Returns the rows of each statement. They are committed, whatever of the answer cannot be read. */
  const rowsOf = async ({ statements, all, answer }: SentStatements): Promise<unknown[][]> => {
    let place = 0
    const rows: unknown[][] = statements.map(() => [])
    for (const message of answer) {
      const prepared = all[place]
      if (message instanceof messages.DataRowMessage && prepared) {
        rows[place]?.push(toRow(message, prepared))
      } else if (message instanceof messages.CommandCompleteMessage) {
        const text = statements[place++]?.text ?? ''
        if (!WRITTEN_BY_EVERY_CALL.test(text)) rowsWritten += Number(WRITTEN.exec(message.text)?.[1] ?? 0)
      }
    }
    if (rowsWritten > ROWS_WRITTEN || performance.now() > keptUntil) await forget()
    return rows
  }

  const run = async <R>(text: string, values: readonly unknown[]): Promise<R[]> => {
    const [rows = []] = await rowsOf(await send([{ text, values }]))
    return rows as R[]
  }

  return {
    run,

    async runTogether (statements) {
      const together = await send(statements).catch(() => undefined)
      if (together) return (await rowsOf(together)).map((rows) => ({ rows }))
      const outcomes: StatementOutcome[] = []
      for (const { text, values } of statements) {
        outcomes.push(await run(text, values).then((rows) => ({ rows }), (error: unknown) => ({ error })))
      }
      return outcomes
    },

    forget
  }
}

const WRITTEN = /^(?:INSERT 0|UPDATE|DELETE) (\d+)/
