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
import { isObject } from '../../lib/json/json-object.js'
import { lazyValidator, type Validation } from '../../lib/schema/validator.js'
import type { Database } from '../../db/sql/database.js'
import type { Line } from '../../planning/records.js'
import { updateTsvectors } from '../../search/ranking/update-tsvectors.js'
import { addFirstAdmin, type ONLY_ADMINISTRATOR } from './first-admin.js'
import { idFaults, textFaults, timeFaults } from '../../lib/schema/check-values.js'
import { IMPORT_LIMITS, linesOf, type LineLimits, type TextLine } from './lines.js'
import { planFaults, References, type LineFault } from './references.js'
import type { ImportedItem, OverChanges } from './keep-changes.js'
import { explorationsIn, noteImport } from './note-import.js'
import { keyOf, ORDER, writeBatch, type WriteCounts } from './write-records.js'
import { JsonDepthError, MAX_JSON_DEPTH, parseBoundedJson } from '../../lib/json/json-depth.js'

export interface RecordProgress { phase: 'checking' | 'writing' | 'indexing', done: number, total?: number }

export interface RecordSummary {
  records: Record<Line['type'], WriteCounts>
  total: number
  /** The e-mail address of the person whom this import made an admin of the new workspaces; absent without one. */
  admin?: string | undefined
  /** How many values were not written, because they were changed here: each is a proposal. Absent for none. */
  kept?: number
}

export interface ImportOptions {
  /** Who becomes an admin of the workspaces that the import makes: a user's id. By default it adds no member. */
  admin?: string | typeof ONLY_ADMINISTRATOR
  /** What becomes of what was changed here; the imported values are proposed when absent. */
  over?: OverChanges | undefined
  /** The folder for the checked lines, until the whole file is known to be valid. */
  spoolDir: string
  onProgress?: OnProgress
  /** Called with the number of records of each type before they are written. */
  checked?: (counts: Counts) => void
  /** Indexes what was written; by default its words only. */
  index?: () => Promise<void>
  limits?: ImportLimits
  /** Aborts the import while the file is being checked; once records are written, it is finished. */
  signal?: AbortSignal | undefined
}

export interface ImportLimits extends LineLimits { maxRecords: number }

const MAX_FAULTS = 20
const LIMITS: ImportLimits = { ...IMPORT_LIMITS, maxRecords: 5_000_000 }
const UNLIMITED: LineLimits = { maxBytes: Infinity, maxLines: Infinity }
const BATCH_RECORDS = 500
// The embedded database holds the process for as long as a batch takes: less than a tenth of a second at this size.
const BATCH_BYTES = 1024 * 1024

const schemas: Record<Line['type'], object> = {
  workspace, user, membership, exploration, requirement_package: requirementPackage, execution_plan: executionPlan,
  recommendation
}
const checks: ReadonlyMap<unknown, (value: unknown) => Validation<Line>> =
  new Map(Object.entries(schemas).map(([type, schema]) => [type, lazyValidator<Line>(schema)]))

/** NDJSON, plain or gzip. @throws {Refusal} that lists the faults by line, and the signal's reason, if it is in time */
export const importRecords = async (
  db: Database, source: AsyncIterable<Uint8Array>,
  {
    spoolDir, admin, over = 'propose', onProgress = () => {}, checked = () => {}, limits = LIMITS, signal,
    index = () => updateTsvectors(db, (words) => onProgress({ phase: 'indexing', ...words }))
  }: ImportOptions
): Promise<RecordSummary> => {
  const folder = await mkdtemp(join(spoolDir, 'import-'))
  try {
    const spooled = await spool(db, source, folder, { onProgress, limits, signal })
    checked(Object.fromEntries(Object.entries(spooled).map(([type, keys]) => [type, keys.length])))
    const summary = await write(db, folder, spooled, { onProgress, admin, over })
    await index()
    return summary
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type OnProgress = (progress: RecordProgress) => void
type Counts = Partial<Record<Line['type'], number>>
/** The keys of the records of each type, in the order of their spool file. */
type Spooled = Partial<Record<Line['type'], string[]>>

/** First pass: checks every line and writes the valid ones into one file per type. */
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
      if (lines >= limits.maxRecords) {
        throw new Refusal(`There are more than ${limits.maxRecords} records: split the file. Nothing was imported.`)
      }
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

/** A full disk fails the import, not the process: the writer checks `errored`, and `finished` rejects. */
const spoolFile = (path: string): WriteStream => createWriteStream(path).on('error', () => {})

const readLine = ({ bytes }: TextLine): { record?: Line, reasons: string[] } => {
  if (!isUtf8(bytes)) return { reasons: ['the line is not UTF-8'] }
  let value: unknown
  try {
    value = parseBoundedJson(bytes.toString('utf8'))
  } catch (error) {
    const isDeep = error instanceof JsonDepthError
    return { reasons: [isDeep ? `the JSON is nested deeper than ${MAX_JSON_DEPTH} levels` : 'the line is not JSON'] }
  }
  if (!isObject(value)) return { reasons: ['the line is not a JSON object'] }
  const check = checks.get(value['type'])
  if (!check) return { reasons: [`type is one of ${ORDER.join(', ')}`] }
  const checked = check(value)
  if (!checked.ok) return { reasons: checked.faults }
  const record = checked.value
  return {
    record,
    reasons: [
      // UTF-8 cannot contain such a character, only an escape can.
      ...(bytes.includes('\\u') ? textFaults(record) : []),
      ...timeFaults(record),
      ...idFaults(record),
      ...(record.type === 'execution_plan' ? planFaults(record) : [])
    ]
  }
}

const refusal = (faults: readonly LineFault[]): Refusal => {
  const [first] = faults
  if (first && faults.length >= MAX_FAULTS && faults.every(({ reason }) => reason === first.reason)) {
    return new Refusal(`Line ${first.line} and at least ${MAX_FAULTS - 1} more: ${first.reason}. Nothing was imported.`)
  }
  const listed = faults.slice(0, MAX_FAULTS).map(({ line, reason }) => `Line ${line}: ${reason}.`)
  const more = faults.length > MAX_FAULTS ? [`And ${faults.length - MAX_FAULTS} more.`] : []
  return new Refusal([...listed, ...more, 'Nothing was imported.'].join('\n'))
}

/** Second pass, in batches; a small import is one transaction, so that an exploration and its plan change together. */
const write = async (
  db: Database, folder: string, spooled: Spooled,
  { onProgress, admin, over }: { onProgress: OnProgress, admin: ImportOptions['admin'], over: OverChanges }
): Promise<RecordSummary> => {
  const total = Object.values(spooled).reduce((sum, { length }) => sum + length, 0)
  const none = ORDER.map((type) => [type, { created: 0, replaced: 0 }])
  const records: Record<Line['type'], WriteCounts> = Object.fromEntries(none)
  let done = 0
  let member: string | undefined
  const made: string[] = []
  const completedItems: ImportedItem[] = []
  const touched = new Set<string>()
  let kept = 0
  const writeAll = async (transaction: Database['transaction']): Promise<void> => {
    for (const type of ORDER) {
      const keys = spooled[type]
      if (!keys) continue
      for await (const { batch, lines } of batches(join(folder, type), keys)) {
        const { created, replaced, workspaces, conflicts, completed } =
          await transaction((tx) => writeBatch(tx, type, batch, over))
        kept += conflicts.filter(({ change }) => change).length
        for (const id of explorationsIn(type, batch)) touched.add(id)
        completedItems.push(...completed)
        made.push(...workspaces)
        records[type].created += created
        records[type].replaced += replaced + lines - batch.size
        done += lines
        onProgress({ phase: 'writing', done, total })
      }
    }
    for (const some of chunksOf([...touched])) await transaction((tx) => noteImport(tx, some, over, completedItems))
    if (admin !== undefined && made.length > 0) member = await transaction((tx) => addFirstAdmin(tx, admin, made))
  }
  if (total <= BATCH_RECORDS && await bytesIn(folder, spooled) <= BATCH_BYTES) {
    await db.transaction((tx) => writeAll((work) => work(tx)))
  } else await writeAll((work) => db.transaction(work))
  return { records, total, ...(member !== undefined && { admin: member }), ...(kept > 0 && { kept }) }
}

const chunksOf = function * <Value>(all: readonly Value[]): Generator<Value[]> {
  for (let at = 0; at < all.length; at += BATCH_RECORDS) yield all.slice(at, at + BATCH_RECORDS)
}

const bytesIn = async (folder: string, spooled: Spooled): Promise<number> => {
  const sizes = await Promise.all(Object.keys(spooled).map(async (type) => (await stat(join(folder, type))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Of lines with the same key only the last one is written. */
async function * batches (
  file: string, keys: readonly string[]
): AsyncGenerator<{ batch: Map<string, string>, lines: number }> {
  let batch = new Map<string, string>()
  let lines = 0
  let bytes = 0
  for await (const line of linesOf(createReadStream(file), { limits: UNLIMITED })) {
    const key = keys[line.number - 1]
    if (key === undefined) throw new Error(`the spool file has more lines than its ${keys.length} keys`)
    batch.set(key, line.bytes.toString('utf8'))
    bytes += line.bytes.length
    if (++lines < BATCH_RECORDS && bytes < BATCH_BYTES) continue
    yield { batch, lines }
    batch = new Map()
    lines = bytes = 0
  }
  if (lines > 0) yield { batch, lines }
}
