/** Imports Kiro: `.kiro/specs/<name>/` with requirements.md, design.md, tasks.md, and the steering documents. */
import type { ExplorationStatus } from '../../planning/records.js'
import { isObject } from '../../lib/json/json-object.js'
import { readLooseTasks } from '../drafts/loose-tasks.js'
import { boxStatus } from '../drafts/statuses.js'
import { readDate } from '../drafts/dates.js'
import { isMarkdown, packageOf, present } from '../drafts/packages.js'
import { PlanDraft, type GroupDraft } from '../drafts/plan-draft.js'
import { criteriaByNumber, isCriterion, namedCriteria } from '../markdown/acceptance.js'
import type { HeadingBlock } from '../markdown/blocks.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import { textOf } from '../markdown/front-matter.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { clarificationMarks } from '../markdown/clarification-marks.js'
import { questionSections } from '../markdown/questions.js'
import { sectionText } from '../markdown/sections.js'
import { numberedId, readTasks, taskBody, type TaskBox } from '../markdown/tasks.js'
import { featureTitle, plainText } from '../markdown/title.js'
import { reportUnreadTasks } from '../markdown/unread-tasks.js'
import { baseName, groupPaths } from '../source/paths.js'
import { readJson } from '../source/read-json.js'
import type { ConvertContext, ExplorationDraft, Importer, ImportUnit } from '../types.js'

const FEATURE = /^((?:.+\/)?\.kiro\/specs\/[^/]+)\/.+$/
const STEERING = /^((?:.+\/)?\.kiro\/steering)\/.+\.md$/
const REQUIREMENTS = ['requirements.md', 'bugfix.md']
const DESIGN = ['design.md', 'research.md', 'gap-analysis.md']

export const kiro: Importer = {
  id: 'kiro',
  about: '.kiro/specs/<name>/ with requirements.md, design.md, tasks.md; .kiro/steering',

  find (paths, report) {
    const units: ImportUnit[] = [...groupPaths(paths, FEATURE)].flatMap(([path, files]) => {
      const documents = [...REQUIREMENTS, ...DESIGN, 'tasks.md'].filter((name) => files.includes(`${path}/${name}`))
      return documents.length === 0
        ? []
        : [{ format: 'kiro' as const, path, files, reason: `${documents.join(', ')} in ${path}` }]
    })
    for (const [path, files] of groupPaths(paths, STEERING)) {
      units.push(
        { format: 'kiro', path, files, reason: `steering documents in ${path}` }
      )
    }
    for (const path of paths) {
      if (/^(?:.+\/)?\.kiro\/specs\/[^/]+$/.test(path)) {
        report.note(path, 'left out: it lies beside the folders of the features')
      }
    }
    return units
  },

  async convert (unit, context) {
    return [/\.kiro\/steering$/.test(unit.path) ? await steering(unit, context) : await feature(unit, context)]
  }
}

const feature = async ({ path: folder, files }: ImportUnit, context: ConvertContext): Promise<ExplorationDraft> => {
  const at = (name: string): string | undefined => files.find((path) => path === `${folder}/${name}`)
  const read = (name: string): Promise<MarkdownFile | undefined> => readMarkdown(at(name), context)
  const requirements = present(await Promise.all(REQUIREMENTS.map(read)))
  const design = present(await Promise.all(DESIGN.map(read)))
  const tasks = await read('tasks.md')
  const settingsPath = at('spec.json')
  const settings = settingsPath === undefined ? undefined : await readJson(settingsPath, context)
  const phase = isObject(settings) ? settings : {}
  const handledPaths = new Set([...requirements, ...design, tasks].map((file) => file?.path).concat(settingsPath))
  const notes = files.filter((path) => !handledPaths.has(path) && isMarkdown(path))
  for (const path of files) {
    if (!handledPaths.has(path) && !isMarkdown(path)) context.report.note(path, 'left out: no markdown')
  }
  const plan = tasks && readPlan(tasks, requirements[0], context)
  const questions = [...requirements, ...design].flatMap((file) => [
    ...clarificationMarks(file, context.report),
    ...questionSections(file)
  ])
  const first = requirements[0] ?? design[0] ?? tasks
  return {
    path: folder,
    title: featureTitle([...requirements, ...design.slice(0, 1), tasks], baseName(folder)),
    status: statusOf(phase, plan, design.length > 0 || requirements.length > 0),
    tags: ['kiro', baseName(folder)],
    summaries: first
      ? [
          {
            kind: 'summary',
            text: sectionText(first, /^(?:[\d.]+\s*)?(?:introduction|overview|導入|概要|はじめに|简介|介绍)/i)
          }
        ]
      : [],
    questions,
    packages: present([
      packageOf('requirements', folder, requirements),
      packageOf('design', folder, design),
      packageOf('tasks', folder, [tasks]),
      packageOf('notes', folder, await Promise.all(notes.map((path) => context.read(path))))
    ]),
    plan,
    createdAt: readDate(textOf(phase['created_at'])),
    updatedAt: readDate(textOf(phase['updated_at'])),
    source: { path: first?.path ?? folder, line: first && 1 }
  }
}

const statusOf = (
  settings: Readonly<Record<string, unknown>>,
  plan: PlanDraft | undefined,
  documents: boolean
): ExplorationStatus => {
  const phase = textOf(settings['phase'])
  const approvals = isObject(settings['approvals']) ? settings['approvals'] : {}
  const tasks = isObject(approvals['tasks']) ? approvals['tasks'] : {}
  if (
    /^(?:implemented|completed?|implementation-complete)/i.test(phase) ||
    plan?.progress === 'delivered'
  ) { return 'delivered' }
  if (phase !== '') {
    return tasks['approved'] === true ||
      settings['ready_for_implementation'] === true ||
      /^(?:tasks-approved|implement)/i.test(phase)
      ? 'ready'
      : 'exploring'
  }
  return plan ? 'ready' : documents ? 'exploring' : 'draft'
}

const LEGEND = /\b(?:legend|notation|status (?:key|indicators?|markers?)|task status|format|凡例)\b/i
const WHOLE = /^(?:implementation (?:plan|tasks)|tasks?|task list|実装計画|タスク(?:リスト|一覧)?)$/i

export const readPlan = (
  file: MarkdownFile, requirements: MarkdownFile | undefined, context: ConvertContext
): PlanDraft | undefined => {
  const criteria = criteriaByNumber(requirements?.blocks ?? [])
  const plan = new PlanDraft(file.path)
  const boxes = readTasks(file).filter((box) => !isLegend(box))
  const ids = new Map(boxes.map((box) => [box, idOf(box)]))
  const numbered = [...ids.values()].some((id) => id !== undefined)
  const tasks = boxes.filter((box) => ids.get(box) !== undefined || !((box.parent && numbered) || isCriterion(box)))
  if (tasks.length < boxes.length) {
    context.report.note(
      file.path,
      `${boxes.length - tasks.length} checkboxes without a number are nested steps or criteria; ` +
      'they stay in their task\'s description and in the package tasks'
    )
  }
  const headings = [
    ...new Set(
      tasks.map(
        ({ headings: above }) => above.filter(({ level, text }) => level > 1 && !WHOLE.test(plainText(text)))[0]
      )
    )
  ]
  const byHeading = headings.filter((heading) => heading !== undefined).length > 1
  const groups = new Map<HeadingBlock | undefined, GroupDraft>()
  let current: { top: string; group: GroupDraft } | undefined
  for (const box of tasks) {
    const id = ids.get(box)
    const text = box.text.slice(id?.length ?? 0)
    let group: GroupDraft
    if (byHeading) {
      const heading = box.headings.filter(({ level, text: title }) => level > 1 && !WHOLE.test(plainText(title)))[0]
      group = groups.get(heading) ?? plan.addGroup(heading ? plainText(heading.text) : 'Tasks')
      groups.set(heading, group)
    } else {
      // The number decides, not the indentation: 1.1 belongs to 1.
      const top = id?.id.split('.')[0] ?? ''
      if (id !== undefined && (current?.top !== top || !id.id.includes('.'))) {
        current = { top, group: plan.addGroup(id.id.includes('.') ? `${top}.` : `${id.id}. ${plainText(text)}`) }
      }
      current ??= { top, group: plan.addGroup('Tasks') }
      group = current.group
    }
    const body = taskBody(file, box, tasks)
    const { status, remark } = boxStatus(box.mark, 'in_progress')
    plan.addItem(group, {
      id: id?.id,
      title: text,
      description: [box.optional ? 'Optional.' : '', remark, body].filter(Boolean).join('\n\n'),
      status,
      acceptance: namedCriteria(body, criteria),
      line: box.line,
      dependsOn: mentionedDependencies(`${box.text}\n${body}`)
    })
  }
  if (plan.items.length === 0) readLooseTasks(file, plan, boxes)
  reportUnreadTasks(file, ids, plan, context.report)
  return plan.items.length > 0 ? plan : undefined
}

const idOf = (box: TaskBox): { id: string; length: number } | undefined => {
  const id = numberedId(box.text)
  return id ?? (box.number === undefined ? undefined : { id: box.number, length: 0 })
}

/** Whether the checkbox only explains the marks. */
const isLegend = (box: TaskBox): boolean => box.headings.some(({ text }) => LEGEND.test(text))

const steering = async ({ path, files }: ImportUnit, context: ConvertContext): Promise<ExplorationDraft> => ({
  path,
  title: 'Steering',
  status: 'ready',
  tags: ['kiro', 'steering'],
  summaries: [],
  questions: [],
  packages: present([packageOf('steering', path, await Promise.all(files.map((file) => context.read(file))))]),
  source: { path: files[0] ?? path }
})
