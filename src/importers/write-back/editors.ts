/** Finds the edit of a file for one change, by the format of the plan. */
import { parseMarkdown } from '../markdown/blocks.js'
import { parseYaml, splitFrontMatter } from '../markdown/front-matter.js'
import { questionSections } from '../markdown/questions.js'
import type { ExplorationRecords } from '../records/to-records.js'
import { ImportReport } from '../report.js'
import { decodeText } from '../source/decode-text.js'
import type { ImportUnit } from '../types.js'
import { addTask, answer, tick } from './checkbox.js'
import { fileText, type Edit, type FileText } from './file-text.js'
import { setStatus } from './front-matter.js'
import { addToList, setTaskStatus } from './task-list.js'
import type { Wanted } from './wanted.js'

export interface FoundEdit { path: string, edit: Edit }

/** The files of a unit, and what converting them gives. */
export interface UnitFiles {
  unit: ImportUnit
  records: readonly ExplorationRecords[]
  files: ReadonlyMap<string, Buffer>
}

/** Undefined when the change has no place in the files. */
export const editFor = (files: UnitFiles, records: ExplorationRecords, wanted: Wanted): FoundEdit | undefined => {
  if (wanted.kind === 'answer') return answerIn(files, wanted)
  const items = records.plan?.items ?? []
  const near = wanted.kind === 'status'
    ? items.find(({ id }) => id === wanted.id)
    : items.filter(({ group_id: group }) => group === wanted.group_id).at(-1)
  if (near?.source?.line === undefined) return undefined
  const { path, line } = near.source
  const bytes = files.files.get(path)
  const file = bytes && fileText(bytes)
  const edit = file && editOf(files, records.path, wanted, file, { id: near.id, line })
  return edit && { path, edit }
}

const editOf = (
  { unit, files }: UnitFiles, exploration: string, wanted: Exclude<Wanted, { kind: 'answer' }>, file: FileText,
  near: { id: string, line: number }
): Edit | undefined => {
  if (unit.format === 'task-master') {
    const [, named] = /#(.+)$/.exec(exploration) ?? []
    const tag = named === undefined ? undefined : file.inserted(named)
    return wanted.kind === 'status' ? setTaskStatus(file, tag, wanted) : addToList(file, tag, wanted)
  }
  if (unit.format === 'backlog-md') {
    const config = unit.files.find((name) => /^config\.ya?ml$/.test(name.slice(unit.path.length + 1)))
    const settings = config === undefined ? undefined : files.get(config)
    const configured = settings && parseYaml(decodeText(settings).text, '', new ImportReport())['statuses']
    return wanted.kind === 'status' ? setStatus(file, wanted.status, configured) : undefined
  }
  return wanted.kind === 'status' ? tick(file, near.line, wanted.status) : addTask(file, near, wanted)
}

/** A question stands in the section of open questions of one of the documents. */
const answerIn = (
  { unit, files }: UnitFiles, wanted: Extract<Wanted, { kind: 'answer' }>
): FoundEdit | undefined => {
  for (const path of unit.files.filter((name) => name.endsWith('.md'))) {
    const bytes = files.get(path)
    const file = bytes && fileText(bytes)
    if (!file) continue
    const { body, bodyLine } = splitFrontMatter(decodeText(bytes).text, path, new ImportReport())
    const found = questionSections(parseMarkdown(body, bodyLine)).find(({ question }) => question === wanted.question)
    const edit = found?.line === undefined ? undefined : answer(file, found.line, wanted.answer)
    if (edit) return { path, edit }
  }
  return undefined
}
