/** Imports Backlog.md: a folder `backlog/` or `.backlog/` with tasks, drafts, decisions, documents and milestones. */
import { verdictOf } from '../adr/mapping.js'
import { readDate } from '../drafts/dates.js'
import { factsLine, packageOf, present } from '../drafts/packages.js'
import { inheritedGroups } from '../drafts/inherited-group.js'
import { PlanDraft, type Criterion, type DraftStatus } from '../drafts/plan-draft.js'
import { knownStatus, readStatus, type ReadStatus } from '../drafts/statuses.js'
import { criterionOf, isCriterion } from '../markdown/acceptance.js'
import { fieldLine, listOf, parseYaml, textOf } from '../markdown/front-matter.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { fieldOf, titleHeading } from '../markdown/sections.js'
import { readTasks as readBoxes } from '../markdown/tasks.js'
import { nameAsTitle, plainText } from '../markdown/title.js'
import { baseName, folderOf, groupPaths, naturally } from '../source/paths.js'
import type { ConvertContext, DecisionDraft, ImportUnit, Importer } from '../types.js'

const FOLDER =
  /^((?:.+\/)?\.?backlog)\/(?:config\.ya?ml|(?:tasks|completed|drafts|decisions|docs|milestones|archive)\/.+\.md)$/
const MARKER = /^\s*(?:config\.ya?ml|tasks\/.+\.md|completed\/.+\.md)$/

export const backlogMd: Importer = {
  id: 'backlog-md',
  about: 'backlog/ or .backlog/ of Backlog.md',

  find (paths) {
    return [...groupPaths(paths, FOLDER)].flatMap(([path, files]): ImportUnit[] =>
      files.some((file) => MARKER.test(file.slice(path.length + 1)))
        ? [{ format: 'backlog-md', path, files, reason: `${files.length} files of Backlog.md in ${path}` }]
        : []
    )
  },

  async convert ({ path: folder, files }, context) {
    const inFolder = (name: string): string[] => files.filter((file) => file.startsWith(`${folder}/${name}/`))
    const configPath = files.find((file) => /\/config\.ya?ml$/.test(file) && folderOf(file) === folder)
    const config = configPath === undefined ? undefined : await context.read(configPath)
    const settings = config ? parseYaml(config.text, config.path, context.report) : {}
    const archived = inFolder('archive')
    if (archived.length > 0) context.report.note(`${folder}/archive`, `left out: ${archived.length} archived files`)
    const statuses = listOf(settings['statuses'])
    const tasks = await readTasks([...inFolder('tasks'), ...inFolder('completed')], false, statuses, context)
    const drafts = await readTasks(inFolder('drafts'), true, statuses, context)
    const milestones = await readMilestones(inFolder('milestones'), context)
    const plan = planOf(folder, tasks, drafts, milestones)
    const dates = [...tasks, ...drafts].flatMap(({ createdAt }) => createdAt ?? []).sort()
    const documents = await Promise.all(inFolder('docs').map((file) => context.read(file)))
    const items = plan.items
    return [
      {
        path: folder,
        title: textOf(settings['project_name']) || context.rootName,
        status: plan.progress,
        tags: ['backlog-md'],
        packages: present([packageOf('design', `${folder}/docs`, documents)]),
        decisions: present(await Promise.all(inFolder('decisions').map((file) => readDecision(file, context)))),
        plan: items.length > 0 ? plan : undefined,
        createdAt: dates[0],
        source: { path: configPath ?? files[0] ?? folder }
      }
    ]
  }
}

interface BacklogTask {
  id: string
  title: string
  description: string
  status: DraftStatus
  milestone: string
  parent: string
  dependencies: string[]
  acceptance: readonly Criterion[]
  path: string
  line: number
  createdAt: string | undefined
}

const readTasks = async (
  files: readonly string[], drafts: boolean, statuses: readonly string[], context: ConvertContext
): Promise<BacklogTask[]> => {
  const tasks = await Promise.all(files.map(async (path) => {
    const file = await readMarkdown(path, context)
    return file && readTask(file, drafts, statuses, context)
  }))
  return present(tasks).sort((a, b) => naturally(a.id, b.id))
}

const readTask = (
  file: MarkdownFile, draft: boolean, statuses: readonly string[], context: ConvertContext
): BacklogTask | undefined => {
  const [, nameId = '', nameTitle = ''] =
    /^((?:[a-z]+-)*\d+(?:\.\d+)*)(?: - |[- ])(.+)\.md$/i.exec(baseName(file.path)) ??
    /^(\S+?) - (.+)\.md$/.exec(baseName(file.path)) ?? []
  const id = textOf(file.data['id']) || nameId
  const heading = plainText(titleHeading(file.blocks)?.text ?? '').replace(/^task\b[\s\d.]*[:：–-]\s*/i, '')
  const title = textOf(file.data['title']) || (nameId === '' ? '' : heading) || nameTitle.replaceAll('-', ' ')
  if (id === '' && title === '') {
    context.report.note(file.path, 'left out: it has neither an id nor a title')
    return undefined
  }
  // Without front matter some write the same fields below the title.
  const words = textOf(file.data['status']) || plainText(fieldOf(file.body, 'Status')).replace(/\s*\(.*$/, '')
  const { status, remark } = statusOf(words, statuses, file.path, context)
  const [priority, labels, assignee] = ['priority', 'labels', 'assignee'].map((name) => listOf(file.data[name]))
  const facts = factsLine({ Priority: priority ?? [], Labels: labels ?? [], Assignee: assignee ?? [] })
  return {
    id: id || baseName(file.path).replace(/\.md$/, ''),
    title: title || id,
    // The tool's sections without the heading of the first, and without criteria, which are read as such.
    description: [remark, facts, file.body
      .replace(/^\s*## Description\s+(?=<!-- SECTION:DESCRIPTION:BEGIN -->)/, '')
      .replace(/^## Acceptance Criteria\s+<!-- AC:BEGIN -->\s+(?:- \[[ xX]\] .{1,5000}\n){0,200}<!-- AC:END -->/m, '')
      .replaceAll(/^[ \t]*<!--[^\n]*?-->[ \t]*\r?\n?/gm, '').trim()]
      .filter(Boolean)
      .join('\n\n'),
    // A draft is never done, whatever its status is.
    status: draft ? 'todo' : status,
    milestone: textOf(file.data['milestone']),
    parent: textOf(file.data['parent_task_id']) || textOf(file.data['parent']),
    dependencies: listOf(file.data['dependencies']),
    acceptance: readBoxes(file).filter(isCriterion).map(criterionOf),
    path: file.path,
    line: fieldLine(file, 'status'),
    createdAt: readDate(textOf(file.data['created_date']) || textOf(file.data['created']))
  }
}

/** The first status of the configuration means todo, the last done; those between mean in progress by default. */
const statusOf = (
  words: string, statuses: readonly string[], path: string, context: ConvertContext
): ReadStatus => {
  const plain = (text: string): string =>
    text
      .replace(/^[^\p{L}\p{N}]+/u, '')
      .trim()
      .toLowerCase()
  // A status such as Wontfix may be the last of the board, and is not done.
  const isGivenUp = (name: string): boolean => (knownStatus(name)?.remark ?? '') !== ''
  const board = statuses.filter((name) => !isGivenUp(name))
  const index = board.findIndex((name) => plain(name) === plain(words))
  if (context.statuses.has(plain(words))) return readStatus(words, context.statuses, context.report, path)
  if (index === board.length - 1 && index > 0) return { status: 'done', remark: '' }
  if (index === 0) return { status: 'todo', remark: '' }
  if (index > 0) return knownStatus(words) ?? { status: 'in_progress', remark: '' }
  return readStatus(words, context.statuses, context.report, path)
}

const normalize = (id: string): string =>
  id
    .toLowerCase()
    .replace(/^[a-z_]+[-_]?/, '')
    .split('.')
    .map((part) => part.replace(/^0+(?=\d)/, ''))
    .join('.')

const planOf = (
  folder: string,
  tasks: readonly BacklogTask[],
  drafts: readonly BacklogTask[],
  milestones: ReadonlyMap<string, string>
): PlanDraft => {
  const plan = new PlanDraft(folder, normalize)
  const groupTitle = inheritedGroups(tasks, {
    normalize,
    ownGroup: ({ milestone }) => milestones.get(milestone.toLowerCase()) ?? milestone,
    titleOf: ({ title }) => title,
    defaultGroup: 'Tasks'
  })
  for (const title of milestones.values()) if (tasks.some((task) => groupTitle(task) === title)) plan.groupOf(title)
  const add = ({ parent, description, dependencies, milestone, createdAt, ...task }: BacklogTask, group: string) => {
    plan.addItem(plan.groupOf(group), {
      ...task,
      description: [parent === '' ? '' : `Subtask of ${parent}.`, description].filter(Boolean).join('\n\n'),
      dependsOn: { ids: dependencies }
    })
  }
  for (const task of tasks) add(task, groupTitle(task))
  for (const draft of drafts) add(draft, 'Drafts')
  return plan
}

/** The titles of milestones by their ids and names in lower case. */
const readMilestones = async (files: readonly string[], context: ConvertContext): Promise<Map<string, string>> => {
  const milestones = new Map<string, string>()
  for (const path of [...files].sort(naturally)) {
    const [, id = '', name = ''] = /^(m-\d+)(?: - (.+))?\.md$/.exec(baseName(path)) ?? []
    const file = await readMarkdown(path, context)
    const title = textOf(file?.data['title']) || name.replaceAll('-', ' ')
    if (title === '') continue
    for (const key of [id, textOf(file?.data['id']), title]) if (key !== '') milestones.set(key.toLowerCase(), title)
  }
  return milestones
}

const readDecision = async (path: string, context: ConvertContext): Promise<DecisionDraft | undefined> => {
  const file = await readMarkdown(path, context)
  if (!file) return undefined
  return {
    path,
    title: textOf(file.data['title']) || nameAsTitle(baseName(path).replace(/^decision-\d+ - /, '')),
    body: file.text,
    status: verdictOf([textOf(file.data['status'])]),
    decidedAt: readDate(textOf(file.data['date']))
  }
}
