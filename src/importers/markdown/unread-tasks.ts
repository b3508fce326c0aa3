/** Reports the tasks of a document that an importer does not read, so that none is lost without a word. */
import type { PlanDraft } from '../drafts/plan-draft.js'
import { pluralize } from '../../lib/text/text.js'
import type { ImportReport } from '../report.js'
import { oneLine } from './blocks.js'
import type { MarkdownFile } from './markdown-file.js'
import { taskId, type TaskBox } from './tasks.js'

const MAX_NAMED = 5
/** An id with more behind its number than an id may have, such as `T038-MIN`. */
const ALMOST_ID = /^[*_`~[(]*((?:T-?\d+|\d+(?:\.\d+)+[-–/])[^\s*`~\])]+)/i

/**
 * Adds a problem for a document without a task, for tasks written as rows, headings or list items without a box, and
 * for boxes whose id is not read as one. `ids` has the id of each box, undefined for one without.
 */
export const reportUnreadTasks = (
  file: MarkdownFile,
  ids: ReadonlyMap<TaskBox, { id: string } | undefined>,
  plan: PlanDraft,
  report: ImportReport
): void => {
  for (const [{ text, line }, id] of ids) {
    const almost = id === undefined ? ALMOST_ID.exec(text)?.[1] : undefined
    if (almost !== undefined) report.problem(file.path, `${JSON.stringify(almost)} was not read as an id`, line)
  }
  const read = new Set(plan.items.flatMap(({ id }) => (id === undefined ? [] : [plan.normalize(id)])))
  const unread = writtenIds(file).filter(({ id }) => !read.has(plan.normalize(id)))
  const names = [...new Set(unread.map(({ id }) => id))]
  const [first] = unread
  if (first) {
    const named = names.slice(0, MAX_NAMED).join(', ')
    report.problem(
      file.path,
      `${pluralize(names.length, 'task')} not read (${named}${names.length > MAX_NAMED ? ', …' : ''}): ` +
      'a task is a line "- [ ] T001 …", not the row of a table or a heading',
      first.line
    )
  } else if (plan.items.length === 0) {
    report.problem(file.path, 'no task was read: a task is a line "- [ ] …"', file.blocks[0]?.line ?? 1)
  }
}

/** The ids such as T012 at the beginning of rows, headings and list items. */
const writtenIds = ({ blocks }: MarkdownFile): Array<{ id: string; line: number }> =>
  blocks
    .flatMap((block) => {
      if (block.kind === 'table') return block.rows.map(({ cells, line }) => ({ text: cells[0] ?? '', line }))
      return block.kind === 'paragraph' ? [] : [{ text: oneLine(block.text), line: block.line }]
    })
    .flatMap(({ text, line }) => {
      const id = taskId(`${text} `)?.id
      return id !== undefined && /^T/i.test(id) ? [{ id, line }] : []
    })
