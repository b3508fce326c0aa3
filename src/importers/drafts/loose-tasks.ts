/** Reads tasks that have no box of their own: headings such as `Task 3: …`, headings or list items with `T012`. */
import { criterionOf, isCriterion } from '../markdown/acceptance.js'
import { oneLine, type Block, type HeadingBlock, type ListItem } from '../markdown/blocks.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { textBelow } from '../markdown/sections.js'
import { taskId, type TaskBox } from '../markdown/tasks.js'
import { plainText } from '../markdown/title.js'
import type { PlanDraft } from './plan-draft.js'
import { boxStatus } from './statuses.js'

const NAMED =
  /^[*_]*(?:Task\s+|(?:任务|任務|タスク)\s*)(\d+(?:\.\d+)*[a-z]?)[*_]*\s*[:：.)、–—-][*_]*\s*(?=\S)/i
const DONE = /^\s*(?:✅|☑|✔)|\s*(?:✅|☑|✔)\s*(?:completed?|done)?\s*$/i

const looseId = (block: Block): ReturnType<typeof taskId> => {
  if (block.kind !== 'heading' && (block.kind !== 'item' || block.parent !== undefined)) return undefined
  const text = oneLine(block.text)
  const named = block.kind === 'heading' ? NAMED.exec(text) : null
  if (named?.[1] !== undefined) return { id: named[1], length: named[0].length }
  const id = taskId(text)
  return id && /^T/i.test(id.id) ? id : undefined
}

/** Whether headings of the document are tasks. */
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
    const body = block.kind === 'heading' ? textBelow(file, block) : listBody(file, block)
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

const listBody = ({ lines, bodyLine }: MarkdownFile, item: ListItem): string =>
  lines
    .slice(item.bodyLine - bodyLine, item.endLine - bodyLine + 1)
    .join('\n')
    .trim()
