/** Imports Backlog.md: a folder `backlog/` or `.backlog/` with tasks, drafts, decisions, documents and milestones. */
import { verdictOf } from '../adr/mapping.js'
import { readDate } from '../drafts/dates.js'
import { factsLine, packagesOf, paragraphs } from '../drafts/packages.js'
import { inheritedGroups, PlanDraft, type ItemDraft, type TreeTask } from '../drafts/plan-draft.js'
import { knownStatus, readStatus, type ReadStatus } from '../drafts/statuses.js'
import { criterionOf, isCriterion } from '../markdown/acceptance.js'
import { fieldLine, listOf, parseYaml, textIn } from '../markdown/front-matter.js'
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
    const tasksIn = async (...names: string[]): Promise<BacklogTask[]> =>
      (await readMarkdown(names.flatMap(inFolder), context))
        .flatMap((file) => readTask(file, statuses, context) ?? [])
        .sort((a, b) => naturally(a.id, b.id))
    const tasks = await tasksIn('tasks', 'completed')
    // A draft is never done, whatever its status is.
    const drafts = (await tasksIn('drafts')).map((draft) => ({ ...draft, status: 'todo' as const }))
    const milestones = await readMilestones(inFolder('milestones'), context)
    return [{
      title: textIn(settings, 'project_name') || context.rootName,
      tags: ['backlog-md'],
      packages: packagesOf(`${folder}/docs`, { design: await context.readAll(inFolder('docs')) }),
      decisions: (await readMarkdown(inFolder('decisions'), context)).map(decisionOf),
      plan: planOf(folder, tasks, drafts, milestones),
      createdAt: [...tasks, ...drafts].flatMap(({ createdAt }) => createdAt ?? []).sort()[0],
      source: configPath === undefined ? undefined : { path: configPath }
    }]
  }
}

interface BacklogTask extends TreeTask, Pick<ItemDraft, 'description' | 'status' | 'acceptance' | 'path' | 'line'> {
  dependencies: string[]
  createdAt: string | undefined
}

const readTask = (
  file: MarkdownFile, statuses: readonly string[], context: ConvertContext
): BacklogTask | undefined => {
  const { path, data, body } = file
  const [, nameId = '', nameTitle = ''] =
    /^((?:[a-z]+-)*\d+(?:\.\d+)*)(?: - |[- ])(.+)\.md$/i.exec(baseName(path)) ??
    /^(\S+?) - (.+)\.md$/.exec(baseName(path)) ?? []
  const id = textIn(data, 'id') || nameId
  const heading = plainText(titleHeading(file.blocks)?.text ?? '').replace(/^task\b[\s\d.]*[:：–-]\s*/i, '')
  const title = textIn(data, 'title') || (nameId === '' ? '' : heading) || nameTitle.replaceAll('-', ' ')
  if (id === '' && title === '') {
    context.report.note(path, 'left out: it has neither an id nor a title')
    return undefined
  }
  // Without front matter some write the same fields below the title.
  const words = textIn(data, 'status') || plainText(fieldOf(body, 'Status')).replace(/\s*\(.*$/, '')
  const { status, remark } = statusOf(words, statuses, path, context)
  const facts = factsLine({
    Priority: listOf(data['priority']), Labels: listOf(data['labels']), Assignee: listOf(data['assignee'])
  })
  return {
    id: id || baseName(path).replace(/\.md$/, ''),
    title: title || id,
    // The tool's sections without the heading of the first, and without criteria, which are read as such.
    description: paragraphs(remark, facts, body
      .replace(/^\s*## Description\s+(?=<!-- SECTION:DESCRIPTION:BEGIN -->)/, '')
      .replace(/^## Acceptance Criteria\s+<!-- AC:BEGIN -->\s+(?:- \[[ xX]\] .{1,5000}\n){0,200}<!-- AC:END -->/m, '')
      .replaceAll(/^[ \t]*<!--[^\n]*?-->[ \t]*\r?\n?/gm, '').trim()),
    status,
    group: textIn(data, 'milestone'),
    parent: textIn(data, 'parent_task_id', 'parent'),
    dependencies: listOf(data['dependencies']),
    acceptance: readBoxes(file).filter(isCriterion).map(criterionOf),
    path,
    line: fieldLine(file, 'status'),
    createdAt: readDate(textIn(data, 'created_date', 'created'))
  }
}

/** The first status of the configuration means todo, the last done; those between mean in progress by default. */
const statusOf = (
  words: string, statuses: readonly string[], path: string, context: ConvertContext
): ReadStatus => {
  const plain = (text: string): string => text.replace(/^[^\p{L}\p{N}]+/u, '').trim().toLowerCase()
  // A status such as Wontfix may be the last of the board, and is not done.
  const isGivenUp = (name: string): boolean => (knownStatus(name)?.remark ?? '') !== ''
  const board = statuses.filter((name) => !isGivenUp(name))
  const index = board.findIndex((name) => plain(name) === plain(words))
  if (index === -1 || context.statuses.has(plain(words))) return readStatus(words, context, path)
  if (index === 0) return { status: 'todo', remark: '' }
  if (index === board.length - 1) return { status: 'done', remark: '' }
  return knownStatus(words) ?? { status: 'in_progress', remark: '' }
}

const normalize = (id: string): string =>
  id
    .toLowerCase()
    .replace(/^[a-z_]+[-_]?/, '')
    .split('.')
    .map((part) => part.replace(/^0+(?=\d)/, ''))
    .join('.')

const planOf = (
  folder: string, tasks: readonly BacklogTask[], drafts: readonly BacklogTask[], milestones: ReadonlyMap<string, string>
): PlanDraft => {
  const plan = new PlanDraft(folder, normalize)
  const ownGroup = ({ group }: BacklogTask): string => milestones.get(group.toLowerCase()) ?? group
  const tree = tasks.map((task) => ({ ...task, group: ownGroup(task) }))
  const groupTitle = inheritedGroups(tree, normalize, 'Tasks')
  for (const title of milestones.values()) if (tree.some((task) => groupTitle(task) === title)) plan.groupOf(title)
  const add = ({ parent, description, dependencies, group, createdAt, ...task }: BacklogTask, title: string) => {
    plan.addItem(plan.groupOf(title), {
      ...task,
      description: paragraphs(parent && `Subtask of ${parent}.`, description),
      dependsOn: { ids: dependencies }
    })
  }
  for (const task of tree) add(task, groupTitle(task))
  for (const draft of drafts) add(draft, 'Drafts')
  return plan
}

/** The titles of milestones by their ids and names in lower case. */
const readMilestones = async (files: readonly string[], context: ConvertContext): Promise<Map<string, string>> => {
  const milestones = new Map<string, string>()
  for (const { path, data } of await readMarkdown([...files].sort(naturally), context)) {
    const [, id = '', name = ''] = /^(m-\d+)(?: - (.+))?\.md$/.exec(baseName(path)) ?? []
    const title = textIn(data, 'title') || name.replaceAll('-', ' ')
    if (title === '') continue
    for (const key of [id, textIn(data, 'id'), title]) if (key !== '') milestones.set(key.toLowerCase(), title)
  }
  return milestones
}

const decisionOf = ({ path, data, text }: MarkdownFile): DecisionDraft => ({
  path,
  title: textIn(data, 'title') || nameAsTitle(baseName(path).replace(/^decision-\d+ - /, '')),
  body: text,
  status: verdictOf([textIn(data, 'status')]),
  decidedAt: readDate(textIn(data, 'date'))
})
