/** Imports CSV with a title and a status in each row: of Linear, Plane, Asana, ClickUp, GitLab, Notion, or by hand. */
import { readDate } from '../drafts/dates.js'
import { factsLine } from '../drafts/packages.js'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'
import { isObject } from '../../lib/json/json-object.js'
import { knownStatus, readStatus, reportNoStatus } from '../drafts/statuses.js'
import { resolveReferences, withoutAddress, type NamedIssue } from '../csv/references.js'
import { CSV, headerOf, readTable, type CsvRow } from '../csv/table.js'
import { trackerExplorations, type TrackerProject } from '../csv/tracker-plan.js'
import { listOf } from '../markdown/front-matter.js'
import { nameAsTitle } from '../markdown/title.js'
import { baseName } from '../source/paths.js'
import type { ConvertContext, Importer } from '../types.js'

export const linearCsv: Importer = {
  id: 'linear-csv',
  about: 'CSV exported from Linear, Plane, Asana, ClickUp, GitLab or Notion, or written for an importer',

  exports: {
    extension: CSV,
    recognizes (head) {
      const header = headerOf(head)
      const has = (...names: string[]): boolean => names.some((name) => header.includes(name))
      if (!has(...TITLE) || !isTracked(header) || has('issue key', 'issue type')) return undefined
      return has(...RELATED) ? 'the columns of an export of Linear' : 'columns of issues with title and status'
    }
  },

  async convert ({ path }, context) {
    const source = await context.read(path)
    if (!source) return []
    const { rows, header } = readTable(source, context)
    if (!header.some((name) => TITLE.includes(name.toLowerCase())) && !context.columns.has('title')) {
      context.report.problem(path, 'left out: no column is called Title; name it with --map title=COLUMN', 1)
      return []
    }
    const issues = resolveReferences(rows.flatMap((row) => issueOf(row, path, context) ?? []))
    reportNoStatus(rows.map(statusWords), context.report, path, 'name its column with --map status=COLUMN')
    const projects = new Map<string, TrackerProject>()
    for (const { project = '' } of issues) {
      const team = project.startsWith('team:') ? project.slice(5) : ''
      projects.set(project, {
        title: project === '' ? nameAsTitle(baseName(path)) : team === '' ? project : `${team}: no project`
      })
    }
    return trackerExplorations(path, 'linear', issues, projects)
  }
}

/** The names of columns, in lower case; the first that has a value counts. */
const TITLE = ['title', 'name', 'task name', 'task']
const STATUS = ['status', 'state', 'state name', 'completed at', 'section/column']
const RELATED = ['blocked by', 'parent issue']
/** Beside a state, which may be one of a country. */
const OF_ISSUES = [
  'id', 'issue id', 'description', 'priority', 'assignee', 'assignees', 'labels', 'milestone', 'project', 'created at'
]

/** Tables of other purposes have names and descriptions too: a status is needed, or another issue. */
const isTracked = (header: readonly string[]): boolean => {
  const has = (names: readonly string[]): boolean => names.some((name) => header.includes(name))
  const found = STATUS.filter((name) => header.includes(name))
  return has(RELATED) || found.some((name) => name !== 'state') || (found.length > 0 && has(OF_ISSUES))
}

const issueOf = (row: CsvRow, path: string, context: ConvertContext): NamedIssue | undefined => {
  const title = row.get(...TITLE)
  const id = row.get('IID', 'Issue ID', 'ID', 'Identifier', 'Key', 'Task Custom ID', 'Task ID')
  if (title === '' && id === '') {
    context.report.note(path, 'left out: the row has no title', row.line)
    return undefined
  }
  const { status, remark } = readStatus(statusWords(row), context, path, row.line)
  const givenUp = row.get('Canceled') !== '' || row.get('Archived', 'Archived At') !== ''
  const project = withoutAddress(row.get('Project', 'Project Name', 'List Name')) || row.get('Projects').split(',')[0]
  const team = row.get('Team', 'Team Name')
  const duplicate = row.get('Duplicate of')
  const facts = factsLine(Object.fromEntries(FACTS.map((name) => [name, textIn(row.get(name))])))
  const relations = relationsIn(row.get('Relations'))
  return {
    id,
    title: title || id,
    texts: [
      remark,
      // An archived issue that was done stays done.
      givenUp && status !== 'done' && remark === ''
        ? 'Canceled or archived in the source. It is not to be done.'
        : '',
      duplicate === '' ? '' : `Duplicate of ${duplicate}.`,
      facts,
      row.get('Description', 'Issue description', 'Task Content', 'Notes'),
      ...row.all('Comments').map(textIn)
    ],
    status: givenUp && status !== 'done' ? 'todo' : status,
    project: project || (team === '' ? '' : `team:${team}`),
    group:
      row.get('Cycle Name') ||
      row.get('Project Milestone', 'Milestone', 'Section/Column') ||
      (row.get('Cycle Number') === '' ? '' : `Cycle ${row.get('Cycle Number')}`),
    aliases: row.all('Task ID', 'ID'),
    parent: row.all('Parent issue', 'Parent', 'Parent item', 'Parent task', 'Parent-task', 'Parent ID')
      .find((cell) => cell !== 'null') ?? '',
    blockedBy: [...row.all('Blocked by', 'Blocked By (Dependencies)'), ...relations('blocked_by')],
    blocks: [...row.all('Blocking', 'Is blocking', 'Blocking (Dependencies)'), ...relations('blocking')],
    relatesTo: [...row.all('Related to'), ...relations('relates_to')],
    line: row.line,
    createdAt: readDate(row.get('Created', 'Created At', 'Created At (UTC)', 'Created time', 'Date Created')),
    updatedAt: readDate(row.get('Updated', 'Updated At', 'Updated At (UTC)', 'Last edited time', 'Last Modified'))
  }
}

const FACTS = [
  'Priority', 'Estimate', 'Assignee', 'Assignees', 'Labels', 'Label', 'Tags', 'Due Date', 'Module Name'
] as const

/** Asana has a time for what is done, and else only a column of its board. */
const statusWords = (row: CsvRow): string => {
  const words = row.get('Status', 'State', 'State Name')
  if (words !== '') return words
  if (row.get('Completed At') !== '') return 'done'
  if (row.get('Section/Column', 'Last Modified') === '') return ''
  return knownStatus(row.get('Section/Column'))?.status === 'in_progress' ? 'in progress' : 'todo'
}

/** Reads Plane's `{"blocked_by": "SHOP-1"}`. */
const relationsIn = (cell: string): ((kind: string) => string[]) => {
  const value = parseJsonOrUndefined(cell)
  return (kind) => listOf(isObject(value) ? value[kind] : undefined)
}

/** Plane writes JSON into some cells. */
const textIn = (cell: string): string => {
  const value = /^\s*[[{]/.test(cell) ? parseJsonOrUndefined(cell) : undefined
  return value === undefined ? cell : stringsIn(value).join(', ')
}

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(stringsIn)
