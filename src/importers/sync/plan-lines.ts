/** Encodes an import of plans as lines, from a command to the server that owns the database. */
import type { FromSchema } from 'json-schema-to-ts'
import manifestSchema from '#schemas/administration/plan_import.json' with { type: 'json' }
import { Refusal } from '../../lib/errors.js'
import { parseBoundedJson } from '../../lib/json/json-depth.js'
import { linesOf as textLines } from '../records/lines.js'
import type { ExplorationRecords } from '../records/to-records.js'
import { asObject, isObject } from '../../lib/json/json-object.js'
import { validator } from '../../lib/schema/validator.js'
import type { Line } from '../../planning/records.js'

export type PlanManifest = FromSchema<typeof manifestSchema>

export type SentExploration = Omit<ExplorationRecords, 'format' | 'title'> & { format: string }

/** The limit of one exploration with all its records. */
const MAX_RECORDS = 20_000

const checkManifest = validator<PlanManifest>(manifestSchema, 'every')

/** Yields the manifest, then for each exploration a line with its origin, and a line per record. */
export function * planLines (manifest: PlanManifest, explorations: Iterable<SentExploration>): Generator<Buffer> {
  const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
  yield line(manifest)
  for (const { format, path, former, exploration, packages, plan, decisions } of explorations) {
    yield line({ origin: { format, path, former } })
    for (const record of [exploration, ...packages, ...(plan ? [plan] : [])]) yield line(record)
    for (const decision of decisions) {
      yield line({ origin: { format, path: decision.path, former: decision.former } })
      yield line(decision.record)
    }
  }
}

/** Reads the manifest; an import checks the records. @throws {Refusal} when the first line is no manifest */
export const readPlanLines = async (
  source: AsyncIterable<Uint8Array>, signal?: AbortSignal
): Promise<{ manifest: PlanManifest; explorations: AsyncGenerator<SentExploration> }> => {
  const lines = textLines(source, { signal })
  const first = await lines.next()
  const manifest = checkManifest(first.done ? undefined : parsed(first.value.bytes))
  if (!manifest.ok) throw new Refusal(`The first line is no manifest of an import: ${manifest.faults.join('; ')}.`)
  return { manifest: manifest.value, explorations: explorationsIn(lines) }
}

async function * explorationsIn (lines: AsyncGenerator<{ bytes: Buffer }>): AsyncGenerator<SentExploration> {
  let current: SentExploration | undefined
  let origin: Pick<SentExploration, 'format' | 'path' | 'former'> | undefined
  let records = 0
  for await (const { bytes } of lines) {
    const value = parsed(bytes)
    if (isObject(value) && value['origin'] !== undefined) {
      origin = originOf(value['origin'])
      continue
    }
    const record = value as Line
    if (record?.type === 'exploration' && origin) {
      if (current) yield current
      current = { ...origin, exploration: record, packages: [], plan: undefined, decisions: [] }
      records = 0
    } else if (!current || !origin || ++records > MAX_RECORDS) {
      throw new Refusal('A record belongs to no exploration, or to one that has too many: nothing was imported.')
    } else if (record?.type === 'requirement_package') current.packages.push(record)
    else if (record?.type === 'execution_plan') current.plan = record
    else if (record?.type === 'recommendation') {
      current.decisions.push({ path: origin.path, former: origin.former, record })
    } else throw new Refusal('A line is no record of an exploration: nothing was imported.')
  }
  if (current) yield current
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return parseBoundedJson(bytes.toString('utf8'))
  } catch {
    throw new Refusal('A line is not JSON: nothing was imported.')
  }
}

const originOf = (value: unknown): Pick<SentExploration, 'format' | 'path' | 'former'> => {
  const { format, path, former } = asObject(value)
  if (typeof format !== 'string' || typeof path !== 'string' || !Array.isArray(former)) {
    throw new Refusal('A line says wrongly where a record comes from: nothing was imported.')
  }
  return { format, path, former: former.filter((name) => typeof name === 'string') }
}
