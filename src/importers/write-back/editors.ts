/** Finds the edit of a file for one change, by the format of the plan. */
import { parseYaml } from '../markdown/front-matter.js'
import type { ExplorationRecords } from '../records/to-records.js'
import { ImportReport } from '../report.js'
import { decodeText } from '../source/decode-text.js'
import type { ImportUnit } from '../types.js'
import { answerIn } from './answers.js'
import { newTask, setStatus } from './backlog-task.js'
import { addTask, tick } from './checkbox.js'
import { fileText, type Edit, type FileText, type FoundEdit } from './file-text.js'
import { addToList, setTaskStatus } from './task-list.js'
import type { Wanted, WantedAnswer } from './wanted.js'

/** The files of a unit, and what converting them gives. */
export interface UnitFiles {
  unit: ImportUnit
  records: readonly ExplorationRecords[]
  files: ReadonlyMap<string, Buffer>
}

/** Undefined when the change has no place in the files. */
export const editFor = (files: UnitFiles, records: ExplorationRecords, wanted: Wanted): FoundEdit | undefined => {
  if (wanted.kind === 'answer') return answerOf(files, wanted)
  const items = records.plan?.items ?? []
  const near = wanted.kind === 'status'
    ? items.find(({ id }) => id === wanted.id)
    : items.filter(({ group_id: group }) => group === wanted.group_id).at(-1)
  if (near?.source?.line === undefined) return undefined
  const { path, line } = near.source
  const bytes = files.files.get(path)
  const file = bytes && fileText(bytes)
  if (!file) return undefined
  if (files.unit.format === 'backlog-md') return taskEdit(files, wanted, { path, bytes, file })
  const edit = editOf(files.unit, records.path, wanted, file, { id: near.id, line })
  return edit && { path, edit }
}

type WantedItem = Exclude<Wanted, WantedAnswer>

const editOf = (
  { format }: ImportUnit, exploration: string, wanted: WantedItem, file: FileText, near: { id: string, line: number }
): Edit | undefined => {
  if (format === 'task-master') {
    const [, named] = /#(.+)$/.exec(exploration) ?? []
    const tag = named === undefined ? undefined : file.inserted(named)
    return wanted.kind === 'status' ? setTaskStatus(file, tag, wanted) : addToList(file, tag, wanted)
  }
  return wanted.kind === 'status' ? tick(file, near.line, wanted.status, format) : addTask(file, near, wanted)
}

/** In Backlog.md each task is a file. */
const taskEdit = (
  { unit, files }: UnitFiles, wanted: WantedItem, near: { path: string, bytes: Buffer, file: FileText }
): FoundEdit | undefined => {
  const config = files.get(unit.files.find((name) => /^config\.ya?ml$/.test(name.slice(unit.path.length + 1))) ?? '')
  const configured = config && parseYaml(decodeText(config).text, '', new ImportReport())['statuses']
  if (wanted.kind === 'task') return newTask(unit.path, near, wanted, configured)
  const edit = setStatus(near.file, wanted.status, configured)
  return edit && { path: near.path, edit }
}

const answerOf = ({ unit, files }: UnitFiles, wanted: WantedAnswer): FoundEdit | undefined => {
  for (const path of unit.files.filter((name) => name.endsWith('.md'))) {
    const bytes = files.get(path)
    const edit = bytes && answerIn(bytes, wanted)
    if (edit) return { path, edit }
  }
  return undefined
}
