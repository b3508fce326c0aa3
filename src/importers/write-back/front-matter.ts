/** Edits the status in the front matter of a task of Backlog.md, in the words of its configuration. */
import { knownStatus } from '../drafts/statuses.js'
import { listOf } from '../markdown/front-matter.js'
import type { DraftStatus as ItemStatus } from '../drafts/plan-draft.js'
import type { Edit, FileText } from './file-text.js'

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
