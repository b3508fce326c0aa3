/**
 * Imports a file of records. The whole file is checked before the first record is written, so that a bad one leaves
 * everything as it was; then it is written in batches, each in a transaction of its own, so that others get their turn.
 */
import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isUtf8 } from 'node:buffer'
import { finished } from 'node:stream/promises'
import executionPlan from '#schemas/records/execution_plan.json' with { type: 'json' }
import exploration from '#schemas/records/exploration.json' with { type: 'json' }
import membership from '#schemas/records/membership.json' with { type: 'json' }
import recommendation from '#schemas/records/recommendation.json' with { type: 'json' }
import requirementPackage from '#schemas/records/requirement_package.json' with { type: 'json' }
import user from '#schemas/records/user.json' with { type: 'json' }
import workspace from '#schemas/records/workspace.json' with { type: 'json' }
import { Refusal } from '../../lib/errors.js'
import { isObject } from '../../mcp/jsonrpc/parse.js'
import { validator } from '../../lib/schema/validator.js'
import type { Database } from '../../db/database.js'
import type { Line } from '../../planning/records.js'
import { updateTsvectors } from '../../db/update-tsvectors.js'
import { planFaults } from './check-plan.js'
import { idFaults, textFaults, timeFaults } from './check-values.js'
import { IMPORT_LIMITS, linesOf, type LineLimits, type TextLine } from './lines.js'
import { References, type LineFault } from './references.js'
import { keyOf, ORDER, writeBatch, type WriteCounts } from './write-records.js'
import { JsonDepthError, MAX_JSON_DEPTH, parseBoundedJson } from '../../lib/json-depth.js'

export interface RecordProgress { phase: 'checking' | 'writing' | 'indexing', done: number, total?: number }

export interface RecordSummary {
  records: Record<Line['type'], WriteCounts>
  total: number
}

export interface ImportOptions {
  /** Where checked lines wait until the whole file is known to be good. */
  spoolDir: string
  onProgress?: OnProgress
  /** Told how many records of each type will be written. */
  checked?: (counts: Counts) => void
  /** Makes what was written findable; when absent, by its words. */
  index?: () => Promise<void>
  limits?: ImportLimits
  /** When it is aborted while the file is still checked, nothing is imported; what is being written is written to its end. */
  signal?: AbortSignal | undefined
}

export interface ImportLimits extends LineLimits { maxRecords: number }

const MAX_FAULTS = 20
const LIMITS: ImportLimits = { ...IMPORT_LIMITS, maxRecords: 5_000_000 }
const UNLIMITED: LineLimits = { maxBytes: Infinity, maxLines: Infinity }
const BATCH_RECORDS = 500
// The embedded database holds the process for as long as a batch takes: less than a tenth of a second at this size.
const BATCH_BYTES = 1024 * 1024

const SCHEMAS = {
  workspace,
  user,
  membership,
  exploration,
  requirement_package: requirementPackage,
  execution_plan: executionPlan,
  recommendation
}
const check = Object.fromEntries(Object.entries(SCHEMAS).map(([type, schema]) => [type, validator<Line>(schema)])) as
  Record<Line['type'], ReturnType<typeof validator<Line>>>

export const importRecords = async (
  db: Database, source: AsyncIterable<Uint8Array>,
  {
    spoolDir, onProgress = () => {}, checked = () => {}, limits = LIMITS, signal,
    index = () => updateTsvectors(db, (words) => onProgress({ phase: 'indexing', ...words }))
  }: ImportOptions
): Promise<RecordSummary> => {
  const folder = await mkdtemp(join(spoolDir, 'import-'))
  try {
    const spooled = await spool(db, source, folder, { onProgress, limits, signal })
    checked(Object.fromEntries(Object.entries(spooled).map(([type, keys]) => [type, keys.length])))
    const summary = await write(db, folder, spooled, onProgress)
    await index()
    return summary
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type OnProgress = (progress: RecordProgress) => void
type Counts = Partial<Record<Line['type'], number>>
/** The keys of the records of each type, in the order in which their file has them. */
type Spooled = Partial<Record<Line['type'], string[]>>

/** First pass: checks every line and lays the good ones out by type. */
const spool = async (
  db: Database, source: AsyncIterable<Uint8Array>, folder: string,
  { onProgress, limits, signal }: { onProgress: OnProgress, limits: ImportLimits, signal: AbortSignal | undefined }
): Promise<Spooled> => {
  const faults: LineFault[] = []
  const references = new References()
  const spooled: Spooled = {}
  const files = new Map<string, WriteStream>()
  let lines = 0
  try {
    for await (const line of linesOf(source, { limits, signal })) {
      if (lines >= limits.maxRecords) throw new Refusal(`There are more than ${limits.maxRecords} records: split the file. Nothing was imported.`)
      const { record, reasons } = readLine(line)
      const fault = record && references.add(record, line.number)
      if (fault !== undefined) reasons.push(fault)
      faults.push(...reasons.map((reason) => ({ line: line.number, reason })))
      if (faults.length >= MAX_FAULTS) throw refusal(faults)
      if (record && faults.length === 0) {
        (spooled[record.type] ??= []).push(keyOf(record))
        const file = files.get(record.type) ?? spoolFile(join(folder, record.type))
        files.set(record.type, file)
        const more = file.write(JSON.stringify(record) + '\n')
        if (file.errored) throw file.errored
        if (!more) await once(file, 'drain')
      }
      if (++lines % BATCH_RECORDS === 0) onProgress({ phase: 'checking', done: lines })
    }
  } finally {
    for (const file of files.values()) file.end()
    await Promise.all([...files.values()].map((file) => finished(file)))
  }
  faults.push(...await references.faults(db))
  if (faults.length > 0) throw refusal(faults)
  return spooled
}

/** A full disk fails the import, not the process: who writes looks at `errored`, and `finished` rejects. */
const spoolFile = (path: string): WriteStream => createWriteStream(path).on('error', () => {})

const readLine = ({ bytes }: TextLine): { record?: Line, reasons: string[] } => {
  if (!isUtf8(bytes)) return { reasons: ['the line is not UTF-8'] }
  let value: unknown
  try {
    value = parseBoundedJson(bytes.toString('utf8'))
  } catch (error) {
    return { reasons: [error instanceof JsonDepthError ? `the JSON is nested deeper than ${MAX_JSON_DEPTH} levels` : 'the line is not JSON'] }
  }
  if (!isObject(value)) return { reasons: ['the line is not a JSON object'] }
  const type = value['type']
  if (typeof type !== 'string' || !Object.hasOwn(check, type)) return { reasons: [`type is one of ${ORDER.join(', ')}`] }
  const checked = check[type as Line['type']](value)
  if (!checked.ok) return { reasons: checked.faults }
  const record = checked.value
  return {
    record,
    reasons: [
      // Only an escape can make such a character out of UTF-8.
      ...(bytes.includes('\\u') ? textFaults(record) : []),
      ...timeFaults(record),
      ...idFaults(record),
      ...(record.type === 'execution_plan' ? planFaults(record) : [])
    ]
  }
}

const refusal = (faults: readonly LineFault[]): Refusal => {
  const listed = faults.slice(0, MAX_FAULTS).map(({ line, reason }) => `Line ${line}: ${reason}.`)
  const more = faults.length > MAX_FAULTS ? [`And ${faults.length - MAX_FAULTS} more.`] : []
  return new Refusal([...listed, ...more, 'Nothing was imported.'].join('\n'))
}

/**
 * Second pass: type by type, batch by batch. What fits into one batch is one transaction, so that whoever hears of a
 * changed exploration finds its plan changed too.
 */
const write = async (
  db: Database, folder: string, spooled: Spooled, onProgress: OnProgress
): Promise<RecordSummary> => {
  const total = Object.values(spooled).reduce((sum, { length }) => sum + length, 0)
  const records = Object.fromEntries(ORDER.map((type) => [type, { created: 0, replaced: 0 }])) as Record<Line['type'], WriteCounts>
  let done = 0
  const writeAll = async (transaction: Database['transaction']): Promise<void> => {
    for (const type of ORDER) {
      const keys = spooled[type]
      if (!keys) continue
      for await (const { batch, lines } of batches(join(folder, type), keys)) {
        const { created, replaced } = await transaction((tx) => writeBatch(tx, type, batch))
        records[type].created += created
        records[type].replaced += replaced + lines - batch.length
        done += lines
        onProgress({ phase: 'writing', done, total })
      }
    }
  }
  if (total <= BATCH_RECORDS && await bytesIn(folder, spooled) <= BATCH_BYTES) {
    await db.transaction((tx) => writeAll((work) => work(tx)))
  } else await writeAll((work) => db.transaction(work))
  return { records, total }
}

const bytesIn = async (folder: string, spooled: Spooled): Promise<number> => {
  const sizes = await Promise.all(Object.keys(spooled).map(async (type) => (await stat(join(folder, type))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Of lines with the same key the last one counts. */
async function * batches (file: string, keys: readonly string[]): AsyncGenerator<{ batch: string[], lines: number }> {
  let batch = new Map<string, string>()
  let lines = 0
  let bytes = 0
  for await (const line of linesOf(createReadStream(file), { limits: UNLIMITED })) {
    batch.set(keys[line.number - 1]!, line.bytes.toString('utf8'))
    bytes += line.bytes.length
    if (++lines < BATCH_RECORDS && bytes < BATCH_BYTES) continue
    yield { batch: [...batch.values()], lines }
    batch = new Map()
    lines = bytes = 0
  }
  if (lines > 0) yield { batch: [...batch.values()], lines }
}
