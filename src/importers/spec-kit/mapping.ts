/** Imports spec-kit: `specs/<NNN-name>/` with spec.md, plan.md, tasks.md and their companions. */
import type { ExplorationStatus } from '../../planning/records.js'
import { boxPlan, byPhase } from '../drafts/box-plan.js'
import { readDate } from '../drafts/dates.js'
import { featureFiles, featureUnits } from '../drafts/feature-files.js'
import { hasHeadingTasks } from '../drafts/loose-tasks.js'
import { packagesOf } from '../drafts/packages.js'
import type { PlanDraft } from '../drafts/plan-draft.js'
import { namedRequirements, requirementsById } from '../markdown/acceptance.js'
import { documentQuestions } from '../markdown/questions.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { fieldOf, summariesIn } from '../markdown/sections.js'
import { readTasks, taskId, type TaskBox } from '../markdown/tasks.js'
import { featureTitle } from '../markdown/title.js'
import { baseName } from '../source/paths.js'
import type { ConvertContext, Importer } from '../types.js'

const FEATURE = /^((?:.+\/)?specs\/[^/]+)\/.+$/
const OF_OTHER_TOOLS = /(?:^|\/)(?:openspec|\.kiro|\.?agent-os|node_modules)\//
const DOCUMENTS = ['spec.md', 'specification.md', 'plan.md', 'tasks.md']

export const specKit: Importer = {
  id: 'spec-kit',
  about: 'specs/NNN-name/ with spec.md, plan.md, tasks.md',

  find: (paths, report) =>
    featureUnits('spec-kit', paths.filter((path) => !OF_OTHER_TOOLS.test(path)), FEATURE, DOCUMENTS, report),

  async convert ({ path: folder, files }, context) {
    const feature = featureFiles(folder, files, context)
    const specs = await feature.read('spec.md', 'specification.md')
    const [design] = await feature.read('plan.md')
    const [tasks] = await feature.read('tasks.md')
    const [spec] = specs
    const plan = tasks && readPlan(tasks, spec, context)
    const questions = documentQuestions([spec, design], context.report)
    const status = (): ExplorationStatus => {
      const words = spec ? fieldOf(spec.body, 'Status') : ''
      if (/^(?:implemented|completed?|done|delivered|shipped)\b/i.test(words)) return 'delivered'
      if (plan) return plan.progress
      return design || questions.some(({ answer }) => answer === undefined) ? 'exploring' : 'draft'
    }
    const input = (spec ? fieldOf(spec.body, 'Input') : '')
      .replace(/^User description:\s*/i, '')
      .replaceAll(/^["“]|["”]$/g, '')
    const first = spec ?? design ?? tasks
    return [{
      title: featureTitle([spec, design, tasks], baseName(folder)),
      status: status(),
      tags: ['spec-kit', baseName(folder)],
      summaries: [
        { kind: 'summary', text: /^\$ARGUMENTS$|^\[/.test(input) ? '' : input },
        ...summariesIn(spec, { goals: 'success criteria' })
      ],
      questions,
      packages: packagesOf(folder, {
        spec: specs,
        design: [design, ...await feature.read('research.md', 'data-model.md', 'quickstart.md')],
        code: [tasks, ...await feature.texts(/^contracts\//)],
        notes: await feature.rest()
      }),
      plan,
      createdAt: readDate(spec && fieldOf(spec.body, 'Created')),
      source: first && { path: first.path, line: 1 }
    }]
  }
}

const CHECKLIST = new RegExp(
  String.raw`\b(?:checklist|validation|definition of done|acceptance|success criteria|quality gates?|review|` +
  String.raw`sign-?off)\b|チェックリスト|検証|受け入れ`,
  'i'
)

const readPlan = (
  file: MarkdownFile, spec: MarkdownFile | undefined, { report }: ConvertContext
): PlanDraft | undefined => {
  const requirements = requirementsById(spec?.blocks ?? [])
  const boxes = readTasks(file, ({ text }) => taskId(text))
  const numbered = boxes.filter(({ id }) => id !== undefined)
  // Where only headings have ids, they are the tasks, and the boxes below them steps and criteria.
  const byHeading = numbered.length === 0 && hasHeadingTasks(file)
  const { groupOf, remarks } = byPhase(numbered.length > 0 ? numbered : boxes)
  const numberedPhases = new Set(numbered.map(groupOf))
  const isTask = (box: TaskBox): boolean => {
    if (box.id !== undefined) return true
    const above = box.headings.filter(({ level }) => level > 1).map(({ text }) => text)
    if (byHeading || [...above, box.label].some((text) => CHECKLIST.test(text))) return false
    // Beside numbered tasks, a nested box without a number is a step, and a phase of such boxes alone a checklist.
    return numbered.length === 0 || (!box.parent && numberedPhases.has(groupOf(box)))
  }
  return boxPlan(file, {
    boxes,
    tasks: boxes.filter(isTask),
    groupOf,
    deferred: 'blocked',
    remarks: (box) => [...remarks(box), box.parent?.id ? `Part of ${box.parent.id.id}` : ''],
    acceptance: (text) => namedRequirements(text, requirements)
  }, report)
}
