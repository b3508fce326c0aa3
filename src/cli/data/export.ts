/** `export`: writes all records to a file that `import` reads. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { errorCode, fileFault } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import { pluralize } from '../../lib/text/text.js'
import type { CommandHandler } from '../cli-context.js'
import { print, stripControlChars } from '../print/print.js'
import { table } from '../print/table.js'
import { withManagement } from '../with-management.js'

/** Writes beside the file and renames, so that `output` is the whole export or what it was before. */
export const exportToFile: CommandHandler<{ output: string, workspace?: string, people?: true }> = async (
  { output, workspace, people, json }, context, flags
) => {
  const path = resolve(context.host.folder, output)
  const name = stripControlChars(output)
  const unfinished = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
  const records: Record<string, number> = {}
  try {
    await withManagement(context, flags, async (api) => {
      const counted = async function * (): AsyncGenerator<string> {
        const query = { workspace, people: people ? 'include' as const : 'exclude' as const }
        for await (const line of api.lines('GET /export', { query })) {
          const [, type = ''] = /^\{"type":"(\w+)"/.exec(line) ?? []
          records[type] = (records[type] ?? 0) + 1
          yield `${line}\n`
        }
      }
      const written = createWriteStream(unfinished, { mode: 0o600, flush: true })
      await (path.endsWith('.gz') ? pipeline(counted, createGzip(), written) : pipeline(counted, written))
    })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    if (error instanceof Refusal) throw new Refusal(`${name} was not written: ${error.message}`, error.reason)
    if (errorCode(error) === undefined) throw error
    throw new Refusal(errorCode(error) === 'ENOENT'
      ? `There is no folder ${stripControlChars(dirname(path))}.`
      : `${name} cannot be written${fileFault(error)}.`)
  }
  const rows = Object.entries(records)
  const total = rows.reduce((sum, [, count]) => sum + count, 0)
  print({ ...context, json }, { file: output, total, records }, `${name}: ${pluralize(total, 'record')}\n` +
    table(rows, [['TYPE', ([type]) => type], ['RECORDS', ([, count]) => count]]) +
    (people ? '' : '\nWithout people and memberships: --people adds them.'))
}
