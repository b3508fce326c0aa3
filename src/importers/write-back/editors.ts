/** Finds the edit of a file for one change, by the format of the plan. */
import { parseMarkdown } from '../markdown/blocks.js'
import { clarificationMarks } from '../markdown/clarification-marks.js'
import { parseYaml, splitFrontMatter } from '../markdown/front-matter.js'
import { questionSections } from '../markdown/questions.js'
import type { ExplorationRecords } from '../records/to-records.js'
import { ImportReport } from '../report.js'
import { decodeText } from '../source/decode-text.js'
import type { ImportUnit, QuestionDraft } from '../types.js'
import { newTask, setStatus } from './backlog-task.js'
import { addTask, answer, tick } from './checkbox.js'
import { fileText, type Edit, type FileText, type FoundEdit } from './file-text.js'
import { addToList, setTaskStatus } from './task-list.js'
import type { Wanted, WantedAnswer } from './wanted.js'

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

/** Undefined when the document does not ask this, or has no place for an answer. */
const answerIn = (bytes: Buffer, asked: WantedAnswer): Edit | undefined => {
  const file = fileText(bytes)
  const report = new ImportReport()
  const { body, bodyLine } = splitFrontMatter(decodeText(bytes).text, '', report)
  const document = parseMarkdown(body, bodyLine)
  const lineIn = (found: readonly QuestionDraft[]): number | undefined =>
    found.find(({ question }) => question === asked.question)?.line
  const marked = lineIn(clarificationMarks({ path: '', ...document }, report))
  const listed = lineIn(questionSections(document))
  if (file && marked !== undefined) return changeMark(file, marked, asked)
  return file && listed !== undefined ? answer(file, listed, asked.said, asked.answer) : undefined
}

/** `[NEEDS CLARIFICATION: question]` becomes `[CLARIFIED: question → answer]`, or the other way. */
const changeMark = (file: FileText, line: number, { question, said, answer: now }: WantedAnswer): Edit | undefined => {
  const [words, old, fresh] = [question, said && ` → ${said}`, now && ` → ${now}`].map((text) => file.inserted(text))
  if (words === undefined || old === undefined || fresh === undefined) return undefined
  const nameOf = (end: string): string => end === '' ? 'NEEDS CLARIFICATION' : 'CLARIFIED'
  const spaced = words.split(' ').map(escaped).join(String.raw`\s+`)
  const mark = new RegExp(String.raw`\[${nameOf(old)}:(\s*${spaced})${escaped(old)}(\s*\])`, 'gi')
  mark.lastIndex = file.lines[line - 1]?.at ?? 0
  const found = mark.exec(file.text)
  const text = `[${nameOf(fresh)}:${found?.[1]}${fresh}${found?.[2]}`
  return found ? { at: found.index, length: found[0].length, text } : undefined
}

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`)
