/** Imports CSV of Linear, of Plane, and CSV written by hand: a title and a status in each row. */
import { readDate } from '../drafts/dates.js'
import { readStatus, reportNoStatus } from '../drafts/statuses.js'
import { headerOf, readTable, type CsvRow } from '../csv/table.js'
import { trackerExplorations, type TrackerIssue, type TrackerProject } from '../csv/tracker-plan.js'
import { nameAsTitle } from '../markdown/title.js'
import { baseName } from '../source/paths.js'
import type { ConvertContext, Importer } from '../types.js'

export const linearCsv: Importer = {
  id: 'linear-csv',
  about: 'CSV exported from Linear or Plane, or written for an importer',

  find: (paths, _report, forced) =>
    forced
      ? paths
        .filter((path) => /\.csv$/i.test(path))
        .map((path) => ({ format: 'linear-csv', path, files: [path], reason: 'named as linear-csv' }))
      : [],

  recognizes (path, head) {
    const header = headerOf(head)
    const titled = header.includes('title') || header.includes('name')
    const tracked = ['status', 'state', 'priority', 'description'].filter((name) => header.includes(name)).length
    if (
      !/\.(?:csv|tsv)$/i.test(path) ||
      !titled ||
      tracked === 0 ||
      header.includes('issue key') ||
      header.includes('issue type')
    ) { return undefined }
    return header.includes('blocked by') || header.includes('parent issue')
      ? 'the columns of an export of Linear'
      : 'columns of issues with title and status'
  },

  async convert ({ path }, context) {
    const source = await context.read(path)
    if (!source) return []
    const { rows, header } = readTable(source, context)
    if (!header.some((name) => /^(?:title|name)$/i.test(name)) && !context.columns.has('title')) {
      context.report.problem(path, 'left out: no column is called Title; name it with --map title=COLUMN', 1)
      return []
    }
    const issues = rows.flatMap((row) => issueOf(row, path, context) ?? [])
    reportNoStatus(rows.map(statusWords), context.report, path, 'name its column with --map status=COLUMN')
    const projects = new Map<string, TrackerProject>()
    for (const { project } of issues) {
      const team = project.startsWith('team:') ? project.slice(5) : ''
      projects.set(project, {
        title: project === '' ? nameAsTitle(baseName(path)) : team === '' ? project : `${team}: no project`
      })
    }
    return trackerExplorations(path, 'linear', issues, projects)
  }
}

const issueOf = (row: CsvRow, path: string, context: ConvertContext): TrackerIssue | undefined => {
  const title = row.get('Title', 'Name')
  const id = row.get('ID', 'Identifier', 'Issue ID', 'Key')
  if (title === '' && id === '') {
    context.report.note(path, 'left out: the row has no title', row.line)
    return undefined
  }
  const { status, remark } = readStatus(statusWords(row), context.statuses, context.report, path, row.line)
  const givenUp = row.get('Canceled') !== '' || row.get('Archived', 'Archived At') !== ''
  const project = row.get('Project', 'Project Name')
  const team = row.get('Team', 'Team Name')
  const duplicate = row.get('Duplicate of')
  const facts = (['Priority', 'Estimate', 'Assignee', 'Labels', 'Label', 'Due Date', 'Module Name'] as const)
    .flatMap((name) => (row.get(name) === '' ? [] : [`${name}: ${textIn(row.get(name))}`]))
    .join('. ')
  return {
    id,
    title: title || id,
    description: [
      remark,
      // An archived issue that was done stays done.
      givenUp && status !== 'done' && remark === ''
        ? 'Canceled or archived in the source. It is not to be done.'
        : '',
      duplicate === '' ? '' : `Duplicate of ${duplicate}.`,
      facts,
      row.get('Description', 'Issue description'),
      ...row.all('Comments').map(textIn)
    ]
      .filter(Boolean)
      .join('\n\n'),
    status: givenUp && status !== 'done' ? 'todo' : status,
    project: project || (team === '' ? '' : `team:${team}`),
    group:
      row.get('Cycle Name') ||
      row.get('Project Milestone') ||
      (row.get('Cycle Number') === '' ? '' : `Cycle ${row.get('Cycle Number')}`),
    parent: row.get('Parent issue', 'Parent'),
    blockedBy: idsIn(row.get('Blocked by')),
    relatesTo: idsIn(row.get('Related to')),
    line: row.line,
    createdAt: readDate(row.get('Created', 'Created At')),
    updatedAt: readDate(row.get('Updated', 'Updated At'))
  }
}

const statusWords = (row: CsvRow): string => row.get('Status', 'State')

const idsIn = (cell: string): string[] =>
  cell
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Plane writes JSON into some cells. */
const textIn = (cell: string): string => {
  if (!/^\s*[[{]/.test(cell)) return cell
  try {
    const texts: string[] = []
    JSON.parse(cell, (_key, value: unknown) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
    return texts.join(', ')
  } catch {
    return cell
  }
}
