/** Reads tasks without a box, such as headings `Task 3: …` or `T012`, and reports those that are not read. */
import { pluralize } from '../../lib/text/text.js'
import { criterionOf, isCriterion } from '../markdown/acceptance.js'
import { oneLine, type Block, type HeadingBlock } from '../markdown/blocks.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { textBelow } from '../markdown/sections.js'
import { taskId, type TaskBox, type TaskId } from '../markdown/tasks.js'
import { plainText } from '../markdown/title.js'
import type { ImportReport } from '../report.js'
import type { PlanDraft } from './plan-draft.js'
import { boxStatus } from './statuses.js'

const NAMED =
  /^[*_]*(?:Task\s+|(?:任务|任務|タスク)\s*)(\d+(?:\.\d+)*[a-z]?)[*_]*\s*[:：.)、–—-][*_]*\s*(?=\S)/i
const DONE = /^\s*(?:✅|☑|✔)|\s*(?:✅|☑|✔)\s*(?:completed?|done)?\s*$/i

const looseId = (block: Block): TaskId | undefined => {
  if (block.kind !== 'heading' && (block.kind !== 'item' || block.parent !== undefined)) return undefined
  const text = oneLine(block.text)
  const [named = '', number] = (block.kind === 'heading' && NAMED.exec(text)) || []
  if (number !== undefined) return { id: number, length: named.length }
  const id = taskId(text)
  return id && /^T/i.test(id.id) ? id : undefined
}

export const hasHeadingTasks = ({ blocks }: MarkdownFile): boolean =>
  blocks.some((block) => block.kind === 'heading' && looseId(block) !== undefined)

/** Adds them to the plan. One is done when it says so, or when all boxes below its heading are. */
export const readLooseTasks = (file: MarkdownFile, plan: PlanDraft, boxes: readonly TaskBox[]): void => {
  let headings: HeadingBlock[] = []
  // Beside such headings, lists only sum up.
  const byHeading = hasHeadingTasks(file)
  for (const block of file.blocks) {
    const id = byHeading && block.kind !== 'heading' ? undefined : looseId(block)
    if (block.kind === 'heading') headings = [...headings.filter(({ level }) => level < block.level), block]
    if (id === undefined || (block.kind !== 'heading' && block.kind !== 'item')) continue
    const above = headings.filter((heading) => heading !== block && heading.level > 1)
    const { lines, bodyLine } = file
    const body = block.kind === 'heading'
      ? textBelow(file, block)
      : lines.slice(block.bodyLine - bodyLine, block.endLine - bodyLine + 1).join('\n').trim()
    const text = oneLine(block.text)
    const below = boxes.filter((box) => box.headings.some((heading) => heading === block))
    const done =
      (below.length > 0 && below.every(({ mark }) => boxStatus(mark, 'todo').status === 'done')) ||
      DONE.test(text) ||
      /^\s*[-*]?\s*[*_]*(?:status|状态|状態)[*_]*\s*[:：][*_\s]*(?:✅|done|complete|已?完成|完了)/im.test(body)
    plan.addItem(plan.groupOf(plainText(above[0]?.text ?? 'Tasks')), {
      id: id.id,
      title: text.slice(id.length).replace(DONE, '').trim() || text,
      description: body,
      status: done ? 'done' : 'todo',
      acceptance: below.filter(isCriterion).map(criterionOf),
      line: block.line,
      dependsOn: mentionedDependencies(`${text}\n${body}`)
    })
  }
}

const MAX_NAMED = 5
/** An id with more behind its number than an id may have, such as `T038-MIN`. */
const ALMOST_ID = /^[*_`~[(]*((?:T-?\d+|\d+(?:\.\d+)+[-–/])[^\s*`~\])]+)/i

/** Adds problems for a document without a task, and for what looks like a task or an id and is not read as one. */
export const reportUnreadTasks = (
  file: MarkdownFile, boxes: readonly TaskBox[], plan: PlanDraft, report: ImportReport
): void => {
  for (const { text, line, id } of boxes) {
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
