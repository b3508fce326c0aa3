/** Imports task-master: `.taskmaster/tasks/tasks.json`, or the older `tasks/tasks.json`; one exploration per tag. */
import { asObject, isObject, type JsonObject } from '../../lib/json/json-object.js'
import { readDate } from '../drafts/dates.js'
import { packagesOf, paragraphs } from '../drafts/packages.js'
import { PlanDraft } from '../drafts/plan-draft.js'
import { readStatus, reportNoStatus } from '../drafts/statuses.js'
import { parseMarkdown } from '../markdown/blocks.js'
import { listOf, textIn } from '../markdown/front-matter.js'
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
    const documents = await context.readAll(files.slice(1))
    const lines = objectLines(source.text, 'status')
    return lists.map((list) => explorationOf(path, list, documents, lines, context))
  }
}

interface TagList {
  tag: string | undefined
  /** Where the tasks are in the JSON, such as `master/tasks/`; '' for the outermost array. */
  place: string
  tasks: unknown[]
  metadata: JsonObject
}

/** The task lists in `{tasks: […]}`, `[…]`, or one such object per tag. */
const listsOf = (value: unknown): TagList[] | undefined => {
  if (Array.isArray(value)) return [{ tag: undefined, place: '', tasks: value, metadata: {} }]
  if (!isObject(value)) return undefined
  const listIn = (part: unknown, tag?: string): TagList | undefined => {
    const { tasks, metadata: own, meta } = asObject(part)
    const place = `${tag === undefined ? '' : `${tag}/`}tasks/`
    const metadata = isObject(own) ? own : asObject(meta)
    return Array.isArray(tasks) ? { tag, place, tasks, metadata } : undefined
  }
  const whole = listIn(value)
  const lists = whole ? [whole] : Object.entries(value).flatMap(([tag, part]) => listIn(part, tag) ?? [])
  return lists.length > 0 ? lists : undefined
}

const explorationOf = (
  path: string,
  { tag, place, tasks, metadata }: TagList,
  documents: readonly SourceText[],
  lines: ReadonlyMap<string, number>,
  context: ConvertContext
): NewExploration => {
  const main = tag === undefined || tag === 'master'
  const own = main ? documents : []
  const isPrd = (document: SourceText): boolean => /prd/i.test(document.path)
  const requirements = own.filter(isPrd)
  return {
    path: tag === undefined ? path : `${path}#${tag}`,
    title: main ? documentTitle(requirements) || textIn(metadata, 'projectName') || context.rootName : tag,
    tags: ['task-master', ...(tag === undefined ? [] : [tag])],
    summaries: [{ kind: 'summary', text: textIn(metadata, 'description') }],
    packages: packagesOf(folderOf(path), {
      requirements: requirements.map(asMarkdown),
      design: own.filter((document) => !isPrd(document)).map(asMarkdown)
    }),
    plan: planOf(path, tasks, (inner) => lines.get(`${place}${inner}`), context),
    createdAt: readDate(metadata['created']),
    updatedAt: readDate(metadata['updated'])
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
  path: string, tasks: readonly unknown[], lineOf: (place: string) => number | undefined, context: ConvertContext
): PlanDraft => {
  const plan = new PlanDraft(path)
  const records = tasks.filter(isObject)
  if (records.length < tasks.length) {
    const left = tasks.length - records.length
    context.report.problem(path, `${left} entries of the list are no tasks and were left out`)
  }
  reportNoStatus(records.map(statusWords), context.report, path, 'write it into "status"')
  const ids = new Set(records.map((task) => textIn(task, 'id')))
  const subtasksOf = ({ subtasks }: JsonObject): unknown[] => Array.isArray(subtasks) ? subtasks : []
  const nested = records.some((task) => subtasksOf(task).length > 0)
  for (const [index, task] of tasks.entries()) {
    if (!isObject(task)) continue
    const id = textIn(task, 'id')
    const group = nested ? plan.addGroup(titleOfTask(task)) : plan.groupOf('Tasks')
    const add = (one: JsonObject, oneId: string, place: string, dependencyOf = (other: string) => other): void => {
      const line = lineOf(place)
      const { status, remark } = readStatus(statusWords(one), context, path, line)
      plan.addItem(group, {
        id: oneId || undefined,
        title: titleOfTask(one),
        description: paragraphs(remark, ...[
          ['Priority: ', 'priority'], ['', 'description'], ['Details:\n\n', 'details'],
          ['Test strategy:\n\n', 'testStrategy']
        ].map(([heading = '', name = '']) => textIn(one, name).replace(/^(?=.)/s, heading))),
        status,
        line,
        dependsOn: { ids: listOf(one['dependencies']).map(dependencyOf) }
      })
    }
    add(task, id, String(index))
    const full = (sub: string): string => (sub.includes('.') ? sub : `${id}.${sub}`)
    const subtasks = subtasksOf(task)
    const siblings = new Set(subtasks.filter(isObject).map((sub) => full(textIn(sub, 'id'))))
    for (const [at, sub] of subtasks.entries()) {
      if (!isObject(sub)) continue
      const subId = textIn(sub, 'id')
      // A bare number is a sibling, or else a whole task.
      add(sub, subId && full(subId), `${index}/subtasks/${at}`, (other) =>
        siblings.has(full(other)) || !ids.has(other) ? full(other) : other)
    }
  }
  return plan
}

const statusWords = (task: JsonObject): string =>
  textIn(task, 'status') || (task['completed'] === true || task['done'] === true ? 'done' : '')

const titleOfTask = (task: JsonObject): string =>
  textIn(task, 'title', 'name') || textIn(task, 'description').split('\n')[0] || textIn(task, 'id') || 'Untitled'
