// Converts files that a test writes down, as an import of their folder would, without a server; whatever comes out can be imported.
import type { Test } from 'tap'
import executionPlan from '#schemas/records/execution_plan.json' with { type: 'json' }
import exploration from '#schemas/records/exploration.json' with { type: 'json' }
import recommendation from '#schemas/records/recommendation.json' with { type: 'json' }
import requirementPackage from '#schemas/records/requirement_package.json' with { type: 'json' }
import { PlanImport, type PlanImportOptions } from '../../src/importers/plan-import.js'
import { planFaults } from '../../src/importers/records/references.js'
import { linesOf, type ExplorationRecords } from '../../src/importers/records/to-records.js'
import type { ImportReport } from '../../src/importers/report.js'
import { modernRequest } from '../helpers/build.js'
import { validator } from '../../src/lib/schema/validator.js'
import type { Line } from '../../src/planning/records.js'

const schemas = { execution_plan: executionPlan, exploration, recommendation, requirement_package: requirementPackage }
const checks = Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, validator<Line>(schema)]))

export interface Imported {
  all: ExplorationRecords[]
  report: ImportReport
  /** `path:line: message` of each problem. */
  problems: string[]
  /** The same of what was left out or read in a certain way. */
  notes: string[]
  /** The exploration of a path. */
  of(path: string): ExplorationRecords
}

/** Files as tap's `testdir` takes them. `path` inside it is imported; the whole when absent. */
export const imported = async (
  t: Test,
  files: Parameters<Test['testdir']>[0],
  options: Partial<PlanImportOptions> & { path?: string } = {}
): Promise<Imported> =>
  await importedFrom(`${t.testdir(files)}${options.path === undefined ? '' : `/${options.path}`}`, options)

export const importedFrom = async (path: string, options: Partial<PlanImportOptions> = {}): Promise<Imported> => {
  const plans = await PlanImport.open(path, { cwd: '/', workspace: 'team', ...options })
  const { units, report } = await plans.convert()
  const all = units.flatMap(({ records }) => records)
  for (const line of all.flatMap(linesOf)) {
    const checked = checks[line.type]!(structuredClone(line))
    const faults = checked.ok ? line.type === 'execution_plan' ? planFaults(line) : [] : checked.faults
    if (faults.length > 0) throw new Error(`no import takes this: ${faults.join()} in ${JSON.stringify(line)}`)
  }
  const lines = (level: string) =>
    report.remarks
      .filter((remark) => remark.level === level)
      .map(({ path, line, message }) => `${path}${line === undefined ? '' : `:${line}`}: ${message}`)
  return {
    all,
    report,
    problems: lines('problem'),
    notes: lines('note'),
    of: (path) => {
      const found = all.find((records) => records.path === path)
      if (!found) throw new Error(`no exploration of ${path} among ${all.map((records) => records.path).join(', ')}`)
      return found
    }
  }
}

// eslint-disable-next-line typescript/no-explicit-any -- JSON of many shapes
export type Json = Record<string, any>

/** Calls tools of a started server; answers `structuredContent`, with the text beside it. @throws for an error */
export const toolsOf = (endpoint: string, key = '') => async (name: string, args: Json = {}): Promise<Json> => {
  const { body, headers } = modernRequest(key, 'tools/call', { name, arguments: args })
  const reply = await (await fetch(endpoint, { method: 'POST', headers, body })).json() as Json
  const { result } = reply
  if (!result || result.isError) throw new Error(JSON.stringify(reply))
  return { ...result.structuredContent, text: result.content[0].text }
}

/**
 * A plan as lines: `id status group: title`, what the item waits for (←) and relates to (~), its criteria; then the gates.
 */
export const planOf = ({ plan }: ExplorationRecords): string[] => {
  const { groups = [], items = [], dependencies = [], gates = [] } = plan ?? {}
  const titleOf = (group: string) => groups.find(({ id }) => id === group)?.title
  const others = (item: string, wanted: string, mark: string): string => {
    const ids = dependencies.flatMap(({ item_id: id, depends_on: other, kind }) => id === item && kind === wanted ? other : [])
    return ids.length === 0 ? '' : ` ${mark} ${ids.join(', ')}`
  }
  return [
    ...items.map(({ id, status, group_id: group, title, acceptance = [] }) =>
      `${id} ${status} ${titleOf(group)}: ${title}${others(id, 'blocks', '←')}${others(id, 'relates', '~')}` +
      acceptance.map(({ text, met }) => ` [${met ? 'x' : ' '}] ${text}`).join('')),
    ...gates.map(({ status, after_group_id: group, criteria }) => `gate ${status} after ${titleOf(group)}: ${criteria.join()}`)
  ]
}

export const questionsOf = ({ exploration }: ExplorationRecords): Array<[string, string | null]> =>
  exploration.questions.map(({ question, answer }) => [question, answer])

/** The types of an exploration's packages, in their order. */
export const typesOf = ({ packages }: ExplorationRecords): string => packages.map(({ artifact_type: type }) => type).join()
