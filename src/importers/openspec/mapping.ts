/** Imports OpenSpec: `openspec/changes/<id>/`, its archive, and the current specifications. */
import { readLooseTasks } from '../drafts/loose-tasks.js'
import { boxStatus } from '../drafts/statuses.js'
import { readDate } from '../drafts/dates.js'
import { isMarkdown, packageOf, present } from '../drafts/packages.js'
import { PlanDraft, type GroupDraft } from '../drafts/plan-draft.js'
import { isCriterion } from '../markdown/acceptance.js'
import type { HeadingBlock } from '../markdown/blocks.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import { parseYaml, textOf } from '../markdown/front-matter.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { clarificationMarks } from '../markdown/clarification-marks.js'
import { questionSections } from '../markdown/questions.js'
import { sectionText } from '../markdown/sections.js'
import { numberedId, readTasks, taskBody, type TaskBox } from '../markdown/tasks.js'
import { featureTitle, plainText } from '../markdown/title.js'
import { reportUnreadTasks } from '../markdown/unread-tasks.js'
import { baseName, groupPaths } from '../source/paths.js'
import type { ConvertContext, ExplorationDraft, Importer, ImportUnit } from '../types.js'

const ACTIVE = /^((?:.+\/)?openspec\/changes\/(?!archive\/)[^/]+)\/.+$/
const ARCHIVED = /^((?:.+\/)?openspec\/changes\/archive\/[^/]+)\/.+$/
const CURRENT = /^((?:.+\/)?openspec)\/(?:specs\/.+\.md|project\.md|config\.ya?ml)$/

export const openSpec: Importer = {
  id: 'openspec',
  about: 'openspec/ with changes, their archive and the current specifications',

  find (paths, report) {
    const units: ImportUnit[] = []
    const usedPaths = new Set<string>()
    for (const [folder, files] of [...groupPaths(paths, ACTIVE), ...groupPaths(paths, ARCHIVED)]) {
      const isChange = (path: string): boolean =>
        /\/(?:proposal|tasks|design)\.md$/.test(path) || /\/specs\/.+\.md$/.test(path)
      if (!files.some(isChange)) continue
      const path = identityOf(folder)
      // Two changes with the same id: the active one, else the first, gets the path without the folder.
      if (usedPaths.has(path)) {
        report.note(folder, `another change has the id ${baseName(path)}; this one goes by its folder`)
      }
      const unit = usedPaths.has(path) ? folder : path
      usedPaths.add(unit)
      units.push({ format: 'openspec', path: unit, files, reason: `a change in ${folder}` })
    }
    for (const [folder, files] of groupPaths(paths, CURRENT)) {
      if (!files.some((path) => path.startsWith(`${folder}/specs/`))) {
        for (const path of files) report.note(path, 'left out: there are no current specifications that it goes with')
        continue
      }
      units.push({
        format: 'openspec',
        path: `${folder}/specs`,
        files,
        reason: `current specifications in ${folder}`
      })
    }
    for (const path of paths) {
      if (/^(?:.+\/)?openspec\/(?:changes\/[^/]+|AGENTS)\.md$/.test(path)) {
        report.note(path, 'left out: it belongs to no change')
      }
    }
    return units
  },

  async convert (unit, context) {
    return [
      unit.path.endsWith('openspec/specs') ? await currentSpecifications(unit, context) : await change(unit, context)
    ]
  }
}

const DATED = /\/archive\/(?:(\d{4}-\d{2}-\d{2})-)?([^/]+)$/

/** A change keeps its path when it is archived. */
const identityOf = (folder: string): string => folder.replace(DATED, '/$2')

const change = async ({ path, files }: ImportUnit, context: ConvertContext): Promise<ExplorationDraft> => {
  const folder = /^((?:.+\/)?openspec\/changes\/(?:archive\/)?[^/]+)\//.exec(files[0] ?? '')?.[1] ?? path
  const archived = DATED.exec(folder)
  const read = (name: string): Promise<MarkdownFile | undefined> =>
    readMarkdown(
      files.find((file) => file === `${folder}/${name}`),
      context
    )
  const proposal = await read('proposal.md')
  const design = await read('design.md')
  const tasks = await read('tasks.md')
  const metadata = files.find((file) => file === `${folder}/.openspec.yaml`)
  const settings = metadata === undefined ? undefined : await context.read(metadata)
  const created = settings && readDate(textOf(parseYaml(settings.text, settings.path, context.report)['created']))
  const deltas = files.filter((file) => isMarkdown(file) && file.startsWith(`${folder}/specs/`))
  const handledPaths = new Set([proposal?.path, design?.path, tasks?.path, metadata, ...deltas])
  const notes = files.filter((file) => !handledPaths.has(file) && isMarkdown(file))
  for (const file of files) {
    if (!handledPaths.has(file) && !isMarkdown(file)) context.report.note(file, 'left out: no markdown')
  }
  const name = baseName(path).replace(/^\d{4}-\d{2}-\d{2}-/, '')
  const plan = tasks && readPlan(tasks, context)
  const questions = [proposal, design].flatMap((file) =>
    file ? [...clarificationMarks(file, context.report), ...questionSections(file)] : []
  )
  const archivedAt = readDate(archived?.[1])
  return {
    path,
    title: featureTitle([proposal], name),
    status: archived
      ? 'delivered'
      : plan
        ? 'ready'
        : design || questions.some(({ answer }) => answer === undefined)
          ? 'exploring'
          : 'draft',
    tags: ['openspec', name],
    summaries: proposal ? summariesOf(proposal, design) : [],
    questions,
    packages: present([
      packageOf('design', folder, [proposal, design]),
      packageOf('code', folder, await Promise.all(deltas.map((file) => context.read(file)))),
      packageOf('tasks', folder, [tasks]),
      packageOf('notes', folder, await Promise.all(notes.map((file) => context.read(file))))
    ]),
    plan,
    createdAt: created ?? archivedAt,
    updatedAt: archivedAt,
    source: { path: (proposal ?? design ?? tasks)?.path ?? files[0] ?? path, line: 1 }
  }
}

const NON_GOALS = /^(?:[\d.]+\s*)?(?:non-?\s?goals?|out of scope)\b/i

const summariesOf = (proposal: MarkdownFile, design: MarkdownFile | undefined): ExplorationDraft['summaries'] => {
  const section = (title: RegExp, file = proposal): string => sectionText(file, title)
  return [
    { kind: 'problem', text: section(/^(?:[\d.]+\s*)?(?:why|problem|motivation)\b/i) },
    { kind: 'summary', text: section(/^(?:[\d.]+\s*)?what changes\b/i) },
    { kind: 'impact', text: section(/^(?:[\d.]+\s*)?impact\b/i) },
    { kind: 'non-goals', text: section(NON_GOALS) || (design ? section(NON_GOALS, design) : '') }
  ]
}

const readPlan = (file: MarkdownFile, context: ConvertContext): PlanDraft | undefined => {
  const plan = new PlanDraft(file.path)
  const boxes = readTasks(file)
  const ids = new Map(boxes.map((box) => [box, numberedId(box.text)]))
  const isTask = (box: TaskBox): boolean => ids.get(box) !== undefined || !(box.parent || isCriterion(box))
  const tasks = boxes.filter(isTask)
  if (tasks.length < boxes.length) {
    context.report.note(
      file.path,
      `${boxes.length - tasks.length} checkboxes without a number are nested steps or criteria; ` +
      'they stay in their task\'s description and in the package tasks'
    )
  }
  const groups = new Map<HeadingBlock | undefined, GroupDraft>()
  const level = groupLevel(tasks)
  for (const box of tasks) {
    const heading = box.headings.filter((one) => one.level > 1 && one.level <= level).at(-1)
    const group = groups.get(heading) ?? plan.addGroup(heading ? plainText(heading.text) : 'Tasks')
    groups.set(heading, group)
    const id = ids.get(box)
    const body = taskBody(file, box, tasks)
    const { status, remark } = boxStatus(box.mark, 'in_progress')
    const part = box.headings
      .filter((one) => one.level > level)
      .map(({ text }) => plainText(text))
      .join(' / ')
    plan.addItem(group, {
      id: id?.id,
      title: box.text.slice(id?.length ?? 0),
      description: [remark, part === '' ? '' : `Section: ${part}`, body].filter(Boolean).join('\n\n'),
      status,
      line: box.line,
      dependsOn: mentionedDependencies(`${box.text}\n${body}`)
    })
  }
  if (plan.items.length === 0) readLooseTasks(file, plan, boxes)
  reportUnreadTasks(file, ids, plan, context.report)
  return plan.items.length > 0 ? plan : undefined
}

/** Level 2, or 3 when all tasks are below one heading of level 2. */
const groupLevel = (tasks: readonly TaskBox[]): number => {
  const of = (level: number): Set<HeadingBlock> =>
    new Set(tasks.flatMap(({ headings }) => headings.filter((heading) => heading.level === level)))
  return of(2).size <= 1 && of(3).size > 1 ? 3 : 2
}

/** One exploration for all capabilities. */
const currentSpecifications = async (
  { path, files }: ImportUnit,
  context: ConvertContext
): Promise<ExplorationDraft> => {
  const folder = path.replace(/\/specs$/, '')
  const specs = await Promise.all(
    files.filter((file) => file.startsWith(`${path}/`)).map((file) => context.read(file))
  )
  const project = await Promise.all(
    files.filter((file) => !file.startsWith(`${path}/`)).map((file) => context.read(file))
  )
  return {
    path,
    title: 'Current specifications',
    status: 'delivered',
    tags: ['openspec'],
    summaries: [],
    questions: [],
    packages: present([packageOf('spec', path, specs), packageOf('notes', folder, project)]),
    source: { path: files[0] ?? path }
  }
}
