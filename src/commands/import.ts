/** `import` */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ImportSummary } from '../api/ports.js'
import { Refusal } from '../errors.js'
import { asJson, harmless, harmlessText, table } from './print.js'
import { describeIndex } from './reindex.js'
import { drawProgress } from './progress-bar.js'
import type { Run } from './run.js'
import { withManagement } from './with-management.js'

/** One file after the other; the first that is refused ends it, and those before it stay imported. */
export const importFiles: Run<{ files: string[] }> = async ({ files, json }, surroundings, flags) => {
  await Promise.all(files.map(readable))
  await withManagement(surroundings, flags, async (api) => {
    for (const file of files) {
      const summary = await importFile(file)
      surroundings.stdout.write(`${json ? asJson({ file, ...summary }) : describe(file, summary)}\n`)
    }

    async function importFile (file: string): Promise<ImportSummary> {
      const bar = await drawProgress(surroundings.stderr, file)
      try {
        return await api.import(source(file, surroundings.stdin), bar.show)
      } catch (error) {
        throw error instanceof Refusal ? new Refusal(`${harmless(file)}: ${harmlessText(error.message)}`, error.reason) : error
      } finally {
        bar.stop()
      }
    }
  })
}

/** Said before anything is imported. */
async function readable (file: string): Promise<void> {
  if (file === '-') return
  try {
    const handle = await open(file)
    const directory = (await handle.stat()).isDirectory()
    await handle.close()
    if (directory) throw new Refusal(`${harmless(file)} is a folder: name the files to import.`)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`${harmless(file)} cannot be read (${error instanceof Error && 'code' in error ? error.code : 'unknown error'}).`)
  }
}

const source = (file: string, stdin: Readable): Readable => file === '-' ? stdin : createReadStream(file)

function describe (file: string, { total, records, search_index: index }: ImportSummary): string {
  const rows = Object.entries(records).filter(([, { created, replaced }]) => created + replaced > 0)
  const name = file === '-' ? 'Standard input' : harmless(file)
  if (!rows.length) return `${name}: no records.`
  return `${name}: ${total} record${total === 1 ? '' : 's'}\n` + table(rows, [
    ['TYPE', ([type]) => type], ['CREATED', ([, { created }]) => created], ['REPLACED', ([, { replaced }]) => replaced]
  ]) + (index ? `\n${describeIndex(index)}` : '')
}
