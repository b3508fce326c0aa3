/** Reads tasks.md of spec-kit: phases as groups, checkboxes as items, checkpoints as gates. */
import { boxPlan, byPhase } from '../drafts/box-plan.js'
import { hasHeadingTasks } from '../drafts/loose-tasks.js'
import type { PlanDraft } from '../drafts/plan-draft.js'
import { namedRequirements, requirementsById } from '../markdown/acceptance.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { readTasks, taskId, type TaskBox } from '../markdown/tasks.js'
import type { ConvertContext } from '../types.js'

const CHECKLIST = new RegExp(
  String.raw`\b(?:checklist|validation|definition of done|acceptance|success criteria|quality gates?|review|` +
  String.raw`sign-?off)\b|チェックリスト|検証|受け入れ`,
  'i'
)

/**
 * The plan in tasks.md; undefined when there are no tasks. Checklists and steps are no tasks, and are reported. `spec`
 * has the requirements that tasks name.
 */
export const readPlan = (
  file: MarkdownFile, spec: MarkdownFile | undefined, { report }: ConvertContext
): PlanDraft | undefined => {
  const requirements = requirementsById(spec?.blocks ?? [])
  const boxes = readTasks(file)
  const ids = new Map(boxes.map((box) => [box, taskId(box.text)]))
  const numbered = boxes.filter((box) => ids.get(box) !== undefined)
  // Where only headings have ids, they are the tasks, and the boxes below them steps and criteria.
  const byHeading = numbered.length === 0 && hasHeadingTasks(file)
  const { groupOf, remarks } = byPhase(numbered.length > 0 ? numbered : boxes)
  const numberedPhases = new Set(numbered.map(groupOf))
  const isTask = (box: TaskBox): boolean => {
    if (ids.get(box) !== undefined) return true
    const above = box.headings.filter(({ level }) => level > 1).map(({ text }) => text)
    if (byHeading || [...above, box.label].some((text) => CHECKLIST.test(text))) return false
    // Beside numbered tasks, a nested box without a number is a step, and a phase of such boxes alone a checklist.
    return numbered.length === 0 || (!box.parent && numberedPhases.has(groupOf(box)))
  }
  return boxPlan(file, {
    boxes,
    ids,
    tasks: boxes.filter(isTask),
    groupOf,
    deferred: 'blocked',
    remarks: (box) => {
      const parent = box.parent && ids.get(box.parent)
      return [...remarks(box), parent ? `Part of ${parent.id}` : '']
    },
    acceptance: (text) => namedRequirements(text, requirements)
  }, report)
}
