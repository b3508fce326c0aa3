/** Commands that ask the management API for one thing and print its reply. */
import type { CliContext, CommandHandler } from './cli-context.js'
import type { ManagementClient } from './management-client.js'
import { print } from './print/print.js'
import type { Columns } from './print/table.js'

type Ask<Options, Reply> = (
  api: ManagementClient, options: Options & { json: boolean }, context: CliContext
) => Promise<Reply>

/**
 * A command that prints the reply, put in words by `say`. With `create` it makes a database where there is none.
 * `prepare` runs before anything is opened, and refuses.
 */
export function managed<Options, Reply> (
  ask: Ask<Options, Reply>, say: (reply: Reply, options: Options) => string | Promise<string>,
  { create, prepare }: {
    create?: true, prepare?: (options: Options & { json: boolean }, context: CliContext) => Promise<void> | void
  } = {}
): CommandHandler<Options> {
  return async (options, context, flags) => {
    await prepare?.(options, context)
    // Loaded when it runs: help needs no client.
    const { withManagement } = await import('./with-management.js')
    const reply = await withManagement(context, flags, (api) => ask(api, options, context), { create })
    print({ ...context, json: options.json }, reply, await say(reply, options))
  }
}

/** A command that prints the rows of a reply as a table, or the sentence `none` when there are none. */
export const listed = <Options, Row>(
  ask: Ask<Options, readonly Row[]>, columns: Columns<Row>, none: string
): CommandHandler<Options> => {
  const say = async (rows: readonly Row[]) =>
    rows.length > 0 ? (await import('./print/table.js')).table(rows, columns) : none
  return managed(ask, say)
}

/**
 * Reads one page after another until the last, or until there are `limit` rows. `read` takes a cursor and how many rows
 * are wanted still; the first cursor is `from`.
 */
export const rowsOfPages = async <Row>(
  read: (cursor: string | undefined, wanted: number) => Promise<{ rows: readonly Row[], next: string | undefined }>,
  { from, limit = Infinity }: { from?: string | undefined, limit?: number } = {}
): Promise<Row[]> => {
  const found: Row[] = []
  let cursor = from
  do {
    const { rows, next } = await read(cursor, limit - found.length)
    found.push(...rows)
    cursor = next
  } while (cursor !== undefined && found.length < limit)
  return found
}
