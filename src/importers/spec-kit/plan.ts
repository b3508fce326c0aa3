/** Reads tasks.md of spec-kit: phases as groups, checkboxes as items, checkpoints as gates. */
import { hasHeadingTasks, readLooseTasks } from '../drafts/loose-tasks.js'
import { boxStatus } from '../drafts/statuses.js'
import { PlanDraft, type GroupDraft } from '../drafts/plan-draft.js'
import { namedRequirements, requirementsById } from '../markdown/acceptance.js'
import { oneLine, type HeadingBlock } from '../markdown/blocks.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { readTasks, taskBody, taskId, type TaskBox } from '../markdown/tasks.js'
import { plainText } from '../markdown/title.js'
import { reportUnreadTasks } from '../markdown/unread-tasks.js'
import type { ConvertContext } from '../types.js'

const CHECKLIST = new RegExp(
  String.raw`\b(?:checklist|validation|definition of done|acceptance|success criteria|quality gates?|review|` +
  String.raw`sign-?off|legend|notation|format)\b|チェックリスト|検証|受け入れ`,
  'i'
)
const CHECKPOINT = /^[*_>\s]*(?:Checkpoint|チェックポイント|检查点)[*_]*\s*[:：][*_]*\s*([\s\S]+)$/i

/**
 * The plan in tasks.md; undefined when there are no tasks. Checklists and steps are no tasks, and are reported. `spec`
 * has the requirements that tasks name.
 */
export const readPlan = (
  file: MarkdownFile, spec: MarkdownFile | undefined, context: ConvertContext
): PlanDraft | undefined => {
  const requirements = requirementsById(spec?.blocks ?? [])
  const plan = new PlanDraft(file.path)
  const boxes = readTasks(file)
  const ids = new Map(boxes.map((box) => [box, taskId(box.text)]))
  const numbered = boxes.some((box) => ids.get(box) !== undefined)
  // Where only headings have ids, they are the tasks, and the boxes below them steps and criteria.
  const byHeading = !numbered && hasHeadingTasks(file)
  const level = phaseLevel(boxes.filter((box) => !numbered || ids.get(box) !== undefined))
  const phaseOf = (headings: readonly HeadingBlock[]): HeadingBlock | undefined =>
    headings.filter((one) => one.level > 1 && one.level <= level).at(-1)
  const numberedPhases = new Set(
    boxes.filter((box) => ids.get(box) !== undefined).map(({ headings }) => phaseOf(headings))
  )
  const isTask = (box: TaskBox): boolean => {
    if (ids.get(box) !== undefined) return true
    if (byHeading || box.headings.some(({ text }) => CHECKLIST.test(text)) || CHECKLIST.test(box.label)) return false
    // Beside numbered tasks, a nested box without a number is a step, and a phase of such boxes alone a checklist.
    return !numbered || (!box.parent && numberedPhases.has(phaseOf(box.headings)))
  }
  const tasks = boxes.filter(isTask)
  const left = boxes.filter((box) => !isTask(box) && !box.parent)
  if (left.length > 0 && !byHeading) {
    context.report.note(
      file.path,
      `${left.length} checkboxes are no tasks but a checklist; they stay in the package code`,
      left[0]?.line
    )
  }
  const groups = new Map<HeadingBlock | undefined, GroupDraft>()
  const groupFor = (headings: readonly HeadingBlock[]): GroupDraft => {
    const heading = phaseOf(headings)
    const group = groups.get(heading) ?? plan.addGroup(heading ? plainText(heading.text) : 'Tasks')
    groups.set(heading, group)
    return group
  }
  if (tasks.length === 0) readLooseTasks(file, plan, boxes)
  for (const box of tasks) {
    const id = ids.get(box)
    const body = taskBody(file, box, tasks)
    const { status, remark } = boxStatus(box.mark, 'blocked')
    const part = box.headings
      .filter((heading) => heading.level > level)
      .map(({ text }) => plainText(text))
      .join(' / ')
    plan.addItem(groupFor(box.headings), {
      id: id?.id,
      title: box.text.slice(id?.length ?? 0),
      description: [
        remark,
        part === '' ? '' : `Section: ${part}`,
        box.parent && ids.get(box.parent) ? `Part of ${ids.get(box.parent)?.id}` : '',
        body
      ]
        .filter(Boolean)
        .join('\n\n'),
      status,
      acceptance: namedRequirements(`${box.text}\n${body}`, requirements),
      line: box.line,
      dependsOn: mentionedDependencies(`${box.text}\n${body}`)
    })
  }
  addGates(file, groups, level)
  reportUnreadTasks(file, ids, plan, context.report)
  return plan.items.length > 0 ? plan : undefined
}

/** The level of the headings with "Phase"; else 2, or 3 when all tasks are below one heading of level 2. */
const phaseLevel = (tasks: readonly TaskBox[]): number => {
  const headings = tasks.flatMap((task) => task.headings)
  const phases = headings
    .filter(
      ({ text }) => /^[*_]*(?:phase|フェーズ|阶段|stage|milestone)\b/i.test(text) || /^フェーズ|^阶段|^第/.test(text)
    )
    .map(({ level }) => level)
  if (phases.length > 0) return Math.min(...phases)
  const second = new Set(headings.filter(({ level }) => level === 2))
  const third = new Set(headings.filter(({ level }) => level === 3))
  return second.size <= 1 && third.size > 1 ? 3 : 2
}

/** A checkpoint becomes a gate after the tasks of its group. */
const addGates = (
  file: MarkdownFile, groups: ReadonlyMap<HeadingBlock | undefined, GroupDraft>, level: number
): void => {
  let heading: HeadingBlock | undefined
  for (const block of file.blocks) {
    if (block.kind === 'heading' && block.level > 1 && block.level <= level) heading = block
    if (block.kind !== 'paragraph' && block.kind !== 'item') continue
    const criterion = CHECKPOINT.exec(block.text)?.[1]
    const group = groups.get(heading)
    if (criterion !== undefined && group) group.gates.push({ criterion: oneLine(criterion), line: block.line })
  }
}
