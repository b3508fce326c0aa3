/** Edits the status of a task of Backlog.md and makes new tasks, in the words of its configuration. */
import { stringify } from 'yaml'
import { knownStatus } from '../drafts/statuses.js'
import { listOf, splitFrontMatter, textOf } from '../markdown/front-matter.js'
import type { ItemStatus } from '../../planning/records.js'
import { ImportReport } from '../report.js'
import { decodeText } from '../source/decode-text.js'
import type { Edit, FileText, FoundEdit } from './file-text.js'
import type { WantedTask } from './wanted.js'

const STATUS = /^(status:[ \t]*)(?:"([^"\\]*)"|'([^']*)'|([^\s"'#|>&*!][^#\r\n]*?))[ \t]*(?:#.*)?$/

/** Replaces the value of `status`; undefined when the front matter has none on one line. */
export const setStatus = (file: FileText, status: ItemStatus, configured: unknown): Edit | undefined => {
  const words = wordsOf(status, listOf(configured))
  const inserted = words === undefined || /["'\\#]|: /.test(words) ? undefined : file.inserted(words)
  if (inserted === undefined) return undefined
  for (const found of file.lines.slice(1)) {
    if (/^(?:---|\.\.\.)[ \t]*$/.test(found.text)) break
    const [, before = '', double, single, plain] = STATUS.exec(found.text) ?? []
    const value = double ?? single ?? plain
    if (value === undefined) continue
    return { at: found.at + before.length + (plain === undefined ? 1 : 0), length: value.length, text: inserted }
  }
  return undefined
}

/** A new file, as the tool names and writes it, like the last of its group; undefined for an id that it cannot have. */
export const newTask = (
  folder: string, last: { path: string, bytes: Buffer },
  { id, title, description = '', acceptance = [] }: WantedTask, configured: unknown
): FoundEdit | undefined => {
  if (!/^(?:[a-z]+-)+\d+(?:\.\d+)*$/i.test(id)) return undefined
  const name = title.replaceAll(/['(),!@#$%^&+=[\]{};]/g, '').replaceAll(/[<>:"/\\|?*\s\p{C}-]+/gu, '-')
  // A name has at most 255 bytes.
  const short = Buffer.from(name.replace(/^-|-$/g, '')).subarray(0, 200).toString().replace(/\uFFFD+$/, '')
  const { data } = splitFrontMatter(decodeText(last.bytes).text, '', new ImportReport())
  const text = stringify({
    id,
    title,
    status: wordsOf('todo', listOf(configured)),
    assignee: [],
    created_date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    labels: [],
    milestone: textOf(data['milestone']) || undefined,
    dependencies: [],
    parent_task_id: textOf(data['parent_task_id']) || undefined
  }, { version: '1.1', lineWidth: 0 })
  const described = description &&
    `\n## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\n${description}\n<!-- SECTION:DESCRIPTION:END -->\n`
  const boxes = acceptance.map(({ text: one, met }, at) => `- [${met ? 'x' : ' '}] #${at + 1} ${one}\n`).join('')
  const criteria = boxes && `\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n${boxes}<!-- AC:END -->\n`
  const place = last.path.startsWith(`${folder}/drafts/`) ? 'drafts' : 'tasks'
  return {
    path: `${folder}/${place}/${id.toLowerCase()} - ${short}.md`,
    edit: { at: 0, length: 0, text: Buffer.from(`---\n${text}---\n${described}${criteria}`).toString('latin1') }
  }
}

const DEFAULT = ['To Do', 'In Progress', 'Done']

/** The first of the configured ones means todo, the last done. */
const wordsOf = (status: ItemStatus, configured: readonly string[]): string | undefined => {
  const statuses = configured.length > 1 ? configured : DEFAULT
  if (status === 'todo') return statuses[0]
  if (status === 'done') return statuses.at(-1)
  const between = statuses.slice(1, -1)
  return between.find((words) => knownStatus(words)?.status === status) ??
    (status === 'in_progress' ? between.find((words) => knownStatus(words) === undefined) : undefined)
}
