/** Imports Kiro: `.kiro/specs/<name>/` with requirements.md, design.md, tasks.md, and the steering documents. */
import type { ExplorationStatus } from '../../planning/records.js'
import { asObject, type JsonObject } from '../../lib/json/json-object.js'
import { boxPlan } from '../drafts/box-plan.js'
import { readDate } from '../drafts/dates.js'
import { featureFiles, featureUnits } from '../drafts/feature-files.js'
import { packagesOf } from '../drafts/packages.js'
import type { PlanDraft } from '../drafts/plan-draft.js'
import { criteriaByNumber, isCriterion, namedCriteria } from '../markdown/acceptance.js'
import type { HeadingBlock } from '../markdown/blocks.js'
import { documentQuestions } from '../markdown/questions.js'
import { textIn } from '../markdown/front-matter.js'
import type { MarkdownFile } from '../markdown/markdown-file.js'
import { summariesIn } from '../markdown/sections.js'
import { numberedId, readTasks, type TaskBox, type TaskId } from '../markdown/tasks.js'
import { featureTitle, plainText } from '../markdown/title.js'
import { baseName, groupPaths } from '../source/paths.js'
import { readJson } from '../source/read-json.js'
import type { ConvertContext, ImportUnit, Importer, NewExploration } from '../types.js'

const FEATURE = /^((?:.+\/)?\.kiro\/specs\/[^/]+)\/.+$/
const STEERING = /^((?:.+\/)?\.kiro\/steering)\/.+\.md$/
const REQUIREMENTS = ['requirements.md', 'bugfix.md']
const DESIGN = ['design.md', 'research.md', 'gap-analysis.md']

export const kiro: Importer = {
  id: 'kiro',
  about: '.kiro/specs/<name>/ with requirements.md, design.md, tasks.md; .kiro/steering',

  find: (paths, report) => [
    ...featureUnits('kiro', paths, FEATURE, [...REQUIREMENTS, ...DESIGN, 'tasks.md'], report),
    ...[...groupPaths(paths, STEERING)].map(([path, files]): ImportUnit => (
      { format: 'kiro', path, files, reason: `steering documents in ${path}` }))
  ],

  async convert (unit, context) {
    return [/\.kiro\/steering$/.test(unit.path) ? await steering(unit, context) : await feature(unit, context)]
  }
}

const feature = async ({ path: folder, files }: ImportUnit, context: ConvertContext): Promise<NewExploration> => {
  const documents = featureFiles(folder, files, context)
  const requirements = await documents.read(...REQUIREMENTS)
  const design = await documents.read(...DESIGN)
  const [tasks] = await documents.read('tasks.md')
  const [settingsPath] = documents.at('spec.json')
  const settings = asObject(settingsPath === undefined ? undefined : await readJson(settingsPath, context))
  const plan = tasks && readPlan(tasks, requirements[0], context)
  const first = requirements[0] ?? design[0] ?? tasks
  return {
    title: featureTitle([...requirements, ...design.slice(0, 1), tasks], baseName(folder)),
    status: statusOf(settings, plan, design.length > 0 || requirements.length > 0),
    tags: ['kiro', baseName(folder)],
    summaries: summariesIn(first, { summary: 'introduction|overview|導入|概要|はじめに|简介|介绍' }),
    questions: documentQuestions([...requirements, ...design], context.report),
    packages: packagesOf(folder, { requirements, design, tasks: [tasks], notes: await documents.rest() }),
    plan,
    createdAt: readDate(settings['created_at']),
    updatedAt: readDate(settings['updated_at']),
    source: first && { path: first.path, line: 1 }
  }
}

const statusOf = (settings: JsonObject, plan: PlanDraft | undefined, documents: boolean): ExplorationStatus => {
  const phase = textIn(settings, 'phase')
  if (/^(?:implemented|completed?|implementation-complete)/i.test(phase) || plan?.progress === 'delivered') {
    return 'delivered'
  }
  if (phase === '') return plan ? 'ready' : documents ? 'exploring' : 'draft'
  const isApproved = asObject(asObject(settings['approvals'])['tasks'])['approved'] === true ||
    settings['ready_for_implementation'] === true || /^(?:tasks-approved|implement)/i.test(phase)
  return isApproved ? 'ready' : 'exploring'
}

const WHOLE = /^(?:implementation (?:plan|tasks)|tasks?|task list|実装計画|タスク(?:リスト|一覧)?)$/i

export const readPlan = (
  file: MarkdownFile, requirements: MarkdownFile | undefined, { report }: ConvertContext
): PlanDraft | undefined => {
  const criteria = criteriaByNumber(requirements?.blocks ?? [])
  const boxes = readTasks(file, idOf)
  const numbered = boxes.some(({ id }) => id !== undefined)
  const tasks = boxes.filter((box) => box.id !== undefined || !((box.parent && numbered) || isCriterion(box)))
  const byHeading = ({ headings }: TaskBox): HeadingBlock | undefined =>
    headings.find(({ level, text }) => level > 1 && !WHOLE.test(plainText(text)))
  let current = { top: '', text: 'Tasks' }
  const byNumber = ({ id, text }: TaskBox): typeof current => {
    // The number decides, not the indentation: 1.1 belongs to 1.
    const top = id?.id.split('.')[0] ?? ''
    if (id?.id === top) current = { top, text: `${top}. ${text.slice(id.length)}` }
    else if (id && current.top !== top) current = { top, text: `${top}.` }
    return current
  }
  return boxPlan(file, {
    boxes,
    tasks,
    groupOf: new Set(tasks.flatMap((box) => byHeading(box) ?? [])).size > 1 ? byHeading : byNumber,
    deferred: 'in_progress',
    remarks: ({ optional }) => optional ? ['Optional.'] : [],
    acceptance: (text) => namedCriteria(text, criteria)
  }, report)
}

const idOf = ({ text, number }: TaskBox): TaskId | undefined =>
  numberedId(text) ?? (number === undefined ? undefined : { id: number, length: 0 })

const steering = async ({ path, files }: ImportUnit, context: ConvertContext): Promise<NewExploration> => ({
  title: 'Steering',
  status: 'ready',
  tags: ['kiro', 'steering'],
  packages: packagesOf(path, { steering: await featureFiles(path, files, context).rest() })
})
