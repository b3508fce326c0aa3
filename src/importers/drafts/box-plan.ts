/** Makes a plan of the boxes of a document. Formats differ in which boxes are tasks and in what groups them. */
import type { Criterion, ItemStatus } from '../../planning/records.js'
import { criterionOf, isCriterion } from '../markdown/acceptance.js'
import { oneLine, type HeadingBlock } from '../markdown/blocks.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { taskBody, type TaskBox } from '../markdown/tasks.js'
import { plainText } from '../markdown/title.js'
import type { ImportReport } from '../report.js'
import { readLooseTasks, reportUnreadTasks } from './loose-tasks.js'
import { paragraphs } from './packages.js'
import { PlanDraft, type GroupDraft } from './plan-draft.js'
import { boxStatus } from './statuses.js'

export interface BoxRules {
  boxes: readonly TaskBox[]
  /** The boxes that are tasks; the others are steps or criteria. */
  tasks: readonly TaskBox[]
  /** The heading that makes the group of a task, the same object for all tasks of the group. */
  groupOf: (box: TaskBox) => Pick<HeadingBlock, 'text'> | undefined
  /** What the marks `~` and `-` mean. */
  deferred: ItemStatus
  /** Lines of the description before the text below the task. */
  remarks?: (box: TaskBox) => string[]
  acceptance?: (text: string) => Criterion[]
}

/** Undefined when there are no tasks. What is no task is reported. */
export const boxPlan = (
  file: MarkdownFile,
  { boxes, tasks, groupOf, deferred, remarks = () => [], acceptance = () => [] }: BoxRules,
  report: ImportReport
): PlanDraft | undefined => {
  const plan = new PlanDraft(file.path)
  const groups = new Map<unknown, GroupDraft>()
  const items = tasks.map((box) => {
    const { id, line, mark } = box
    const heading = groupOf(box)
    const group = groups.get(heading) ?? plan.addGroup(heading ? plainText(heading.text) : 'Tasks')
    groups.set(heading, group)
    const body = taskBody(file, box, tasks)
    const text = `${box.text}\n${body}`
    const { status, remark } = boxStatus(mark, deferred)
    return plan.addItem(group, {
      id: id?.id,
      title: box.text.slice(id?.length ?? 0),
      description: paragraphs(remark, ...remarks(box), body),
      status,
      acceptance: acceptance(text),
      line,
      dependsOn: mentionedDependencies(text)
    })
  })
  const isTask = new Set(tasks)
  const left = boxes.filter((box) => !isTask.has(box))
  if (items.length === 0) readLooseTasks(file, plan, boxes)
  else if (left[0]) {
    for (const box of left.filter(isCriterion)) {
      // The criteria of a part stand with its last task.
      const parts = [box.headings.at(-1), box.headings.at(-2)]
      const indexes = parts.map((part) => tasks.findLastIndex(({ headings }) => part && headings.includes(part)))
      const last = items[indexes.find((index) => index >= 0) ?? items.length - 1]
      if (last) last.acceptance = [...last.acceptance, criterionOf(box)]
    }
    const message = `${left.length} checkboxes are no tasks but steps or criteria; they stay in the text`
    report.note(file.path, message, left[0].line)
  }
  addGates(file, groups)
  reportUnreadTasks(file, boxes, plan, report)
  return plan.items.length > 0 ? plan : undefined
}

const CHECKPOINT = /^[*_>\s]*(?:Checkpoint|チェックポイント|检查点)[*_]*\s*[:：][*_]*\s*([\s\S]+)$/i

/** A checkpoint becomes a gate after the tasks of its group. */
const addGates = ({ blocks }: MarkdownFile, groups: ReadonlyMap<unknown, GroupDraft>): void => {
  let heading: HeadingBlock | undefined
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level > 1 && (groups.has(block) || block.level <= (heading?.level ?? 6))) {
      heading = block
    }
    if (block.kind !== 'paragraph' && block.kind !== 'item') continue
    const criterion = CHECKPOINT.exec(block.text)?.[1]
    if (criterion !== undefined) groups.get(heading)?.gates.push({ criterion: oneLine(criterion), line: block.line })
  }
}

const PHASE = /^[*_]*(?:phase|stage|milestone)\b|^[*_]*(?:フェーズ|阶段|第)/i

/** Groups by the headings with "Phase"; without them by those of level 2, or 3 when all are below one of level 2. */
export const byPhase = (tasks: readonly TaskBox[]): Required<Pick<BoxRules, 'groupOf' | 'remarks'>> => {
  const all = new Set(tasks.flatMap(({ headings }) => headings))
  const of = (wanted: number): number => [...all].filter(({ level }) => level === wanted).length
  const phases = [...all].filter(({ text }) => PHASE.test(text)).map(({ level }) => level)
  const most = phases.length > 0 ? Math.min(...phases) : of(2) <= 1 && of(3) > 1 ? 3 : 2
  return {
    groupOf: ({ headings }) => headings.findLast(({ level }) => level > 1 && level <= most),
    remarks: ({ headings }) => {
      const part = headings.filter(({ level }) => level > most).map(({ text }) => plainText(text)).join(' / ')
      return part === '' ? [] : [`Section: ${part}`]
    }
  }
}
