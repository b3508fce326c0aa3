/** Imports task-master: `.taskmaster/tasks/tasks.json`, or the older `tasks/tasks.json`; one exploration per tag. */
import { isObject } from '../../lib/json/json-object.js'
import { readDate } from '../drafts/dates.js'
import { packageOf, present } from '../drafts/packages.js'
import { PlanDraft, type GroupDraft } from '../drafts/plan-draft.js'
import { readStatus, reportNoStatus } from '../drafts/statuses.js'
import { parseMarkdown } from '../markdown/blocks.js'
import { listOf, textOf } from '../markdown/front-matter.js'
import { titleHeading } from '../markdown/sections.js'
import { titleOf } from '../markdown/title.js'
import { folderOf } from '../source/paths.js'
import { objectLines, parseJson } from '../source/read-json.js'
import type { ConvertContext, ImportUnit, Importer, NewExploration, SourceText } from '../types.js'

const TASKS = /^(?:.+\/)?(?:\.taskmaster\/tasks|tasks)\/tasks\.json$/

export const taskMaster: Importer = {
  id: 'task-master',
  about: '.taskmaster/tasks/tasks.json, or tasks/tasks.json',

  find (paths) {
    return paths
      .filter((path) => TASKS.test(path))
      .map((path): ImportUnit => {
        const home = folderOf(folderOf(path))
        const project = home.endsWith('.taskmaster') ? folderOf(home) : home
        const below = (folder: string): string => (folder === '' ? '' : `${folder}/`)
        const documents = paths.filter(
          (other) =>
            /\.(?:md|txt)$/i.test(other) &&
            ((home.endsWith('.taskmaster') && other.startsWith(`${home}/docs/`)) ||
              /^scripts\/[^/]*prd[^/]*$/i.test(other.slice(below(project).length)))
        )
        return { format: 'task-master', path, files: [path, ...documents], reason: `a list of tasks in ${path}` }
      })
  },

  async convert ({ path, files }, context) {
    const source = await context.read(path)
    const value = source && parseJson(source.text, path, context)
    const lists = listsOf(value)
    if (source === undefined || lists === undefined) {
      if (value !== undefined) {
        context.report.problem(path, 'left out: it has no list of tasks as task-master writes it')
      }
      return []
    }
    const documents = present(await Promise.all(files.slice(1).map((file) => context.read(file))))
    const lines = objectLines(source.text, 'status')
    return lists.map((list) => explorationOf(path, list, documents, lines, context))
  }
}

interface TagList {
  tag: string | undefined
  /** Where the tasks are in the JSON, such as `master/tasks/`; '' for the outermost array. */
  place: string
  tasks: unknown[]
  metadata: Readonly<Record<string, unknown>>
}

/** The task lists in `{tasks: […]}`, `[…]`, or one such object per tag. */
const listsOf = (value: unknown): TagList[] | undefined => {
  if (Array.isArray(value)) return [{ tag: undefined, place: '', tasks: value, metadata: {} }]
  if (!isObject(value)) return undefined
  if (Array.isArray(value['tasks'])) {
    return [{ tag: undefined, place: 'tasks/', tasks: value['tasks'], metadata: metadataOf(value) }]
  }
  const tags = Object.entries(value).flatMap(([tag, part]): TagList[] =>
    isObject(part) && Array.isArray(part['tasks'])
      ? [{ tag, place: `${tag}/tasks/`, tasks: part['tasks'], metadata: metadataOf(part) }]
      : []
  )
  return tags.length > 0 ? tags : undefined
}

const metadataOf = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  isObject(value['metadata']) ? value['metadata'] : isObject(value['meta']) ? value['meta'] : {}

const explorationOf = (
  path: string,
  { tag, place, tasks, metadata }: TagList,
  documents: readonly SourceText[],
  lines: ReadonlyMap<string, number>,
  context: ConvertContext
): NewExploration => {
  const main = tag === undefined || tag === 'master'
  const own = main ? documents : []
  const plan = planOf(path, tasks, (inner) => lines.get(`${place}${inner}`), context)
  const items = plan.items
  const requirements = own.filter((document) => /prd/i.test(document.path))
  return {
    path: tag === undefined ? path : `${path}#${tag}`,
    title: main ? documentTitle(requirements) || textOf(metadata['projectName']) || context.rootName : tag,
    status: plan.progress,
    tags: ['task-master', ...(tag === undefined ? [] : [tag])],
    summaries:
      textOf(metadata['description']) === '' ? [] : [{ kind: 'summary', text: textOf(metadata['description']) }],
    packages: present([
      packageOf('requirements', folderOf(path), requirements.map(asMarkdown)),
      packageOf('design', folderOf(path), own.filter((document) => !/prd/i.test(document.path)).map(asMarkdown))
    ]),
    plan: items.length > 0 ? plan : undefined,
    createdAt: readDate(textOf(metadata['created'])),
    updatedAt: readDate(textOf(metadata['updated'])),
    source: { path }
  }
}

const asMarkdown = (source: SourceText): SourceText => ({ ...source, markdown: true })

const documentTitle = (documents: readonly SourceText[]): string => {
  for (const { text } of documents) {
    const title = titleOf(titleHeading(parseMarkdown(text).blocks)?.text ?? '').replace(
      /^(?:PRD|Product Requirements Document(?: \(PRD\))?)\s*[:–-]?\s*/i,
      ''
    )
    if (title !== '') return title
  }
  return ''
}

const planOf = (
  path: string,
  tasks: readonly unknown[],
  lineOf: (place: string) => number | undefined,
  context: ConvertContext
): PlanDraft => {
  const plan = new PlanDraft(path)
  const records = tasks.filter(isObject)
  if (records.length < tasks.length) {
    context.report.problem(
      path,
      `${tasks.length - records.length} entries of the list are no tasks and were left out`
    )
  }
  reportNoStatus(records.map(statusWords), context.report, path, 'write it into "status"')
  const ids = new Set(records.map((task) => textOf(task['id'])))
  const nested = records.some((task) => Array.isArray(task['subtasks']) && task['subtasks'].length > 0)
  for (const [index, task] of tasks.entries()) {
    if (!isObject(task)) continue
    const id = textOf(task['id'])
    const group = nested ? plan.addGroup(titleOfTask(task)) : plan.groupOf('Tasks')
    const add = (one: typeof task, oneId: string | undefined, dependencies: string[], place: string): void => {
      addTask(plan, group, one, { id: oneId, dependencies, line: lineOf(place) }, context)
    }
    add(task, id === '' ? undefined : id, listOf(task['dependencies']), String(index))
    const all: unknown[] = Array.isArray(task['subtasks']) ? task['subtasks'] : []
    const subtasks = all.filter(isObject)
    const full = (sub: string): string => (sub.includes('.') ? sub : `${id}.${sub}`)
    const siblings = new Set(subtasks.map((sub) => full(textOf(sub['id']))))
    for (const [at, sub] of all.entries()) {
      if (!isObject(sub)) continue
      const subId = textOf(sub['id'])
      // A bare number is a sibling, or else a whole task.
      const dependencies = listOf(sub['dependencies']).map((other) =>
        other.includes('.') ? other : siblings.has(full(other)) || !ids.has(other) ? full(other) : other
      )
      add(sub, subId === '' ? undefined : full(subId), dependencies, `${index}/subtasks/${at}`)
    }
  }
  return plan
}

const statusWords = (task: Readonly<Record<string, unknown>>): string =>
  textOf(task['status']) || (task['completed'] === true || task['done'] === true ? 'done' : '')

const titleOfTask = (task: Readonly<Record<string, unknown>>): string =>
  textOf(task['title']) ||
  textOf(task['name']) ||
  textOf(task['description']).split('\n')[0] ||
  textOf(task['id']) ||
  'Untitled'

const addTask = (
  plan: PlanDraft,
  group: GroupDraft,
  task: Readonly<Record<string, unknown>>,
  { id, dependencies, line }: { id: string | undefined; dependencies: string[]; line: number | undefined },
  context: ConvertContext
): void => {
  const { status, remark } = readStatus(statusWords(task), context.statuses, context.report, plan.path, line)
  const part = (heading: string, name: string): string =>
    textOf(task[name]) === '' ? '' : `${heading}${textOf(task[name])}`
  plan.addItem(group, {
    id,
    title: titleOfTask(task),
    description: [
      remark,
      part('Priority: ', 'priority'),
      part('', 'description'),
      part('Details:\n\n', 'details'),
      part('Test strategy:\n\n', 'testStrategy')
    ]
      .filter(Boolean)
      .join('\n\n'),
    status,
    line,
    dependsOn: { ids: dependencies }
  })
}
