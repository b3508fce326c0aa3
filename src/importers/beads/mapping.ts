/** Imports beads: `.beads/issues.jsonl`, an issue a line. An epic is an exploration, what has no epic is one more. */
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { pluralize } from '../../lib/text/text.js'
import { trackerExplorations, type TrackerIssue, type TrackerProject } from '../csv/tracker-plan.js'
import { readDate } from '../drafts/dates.js'
import { factsLine, paragraphs } from '../drafts/packages.js'
import type { Criterion } from '../../planning/records.js'
import { isGivenUp, readStatus, type ReadStatus } from '../drafts/statuses.js'
import { listOf, objectsIn, textIn } from '../markdown/front-matter.js'
import { groupPaths } from '../source/paths.js'
import type { ConvertContext, Importer, SourceText } from '../types.js'

const FILE = /^((?:.+\/)?\.beads)\/(?:issues|beads)\.jsonl$/

export const beads: Importer = {
  id: 'beads',
  about: '.beads/issues.jsonl of beads',

  // Older versions wrote beads.jsonl.
  find: (paths) => [...groupPaths(paths, FILE).values()].flatMap((files) => files.slice(-1)).map((path) =>
    ({ format: 'beads', path, files: [path], reason: `issues in ${path}` })),

  async convert ({ path }, context) {
    const source = await context.read(path)
    const issues = source ? readIssues(source, context) : new Map<string, Issue>()
    const projects = new Map<string, TrackerProject>()
    const keyOf = (epic: string): string => epic && `${path}#${epic}`
    for (const issue of [...issues.values()].filter(({ isEpic }) => isEpic)) {
      // Some say of an epic only that it waits for its parts.
      for (const part of linksOf(issue.fields, BLOCKS).flatMap((other) => issues.get(other) ?? [])) {
        if (!part.isEpic) part.parent ||= issue.id
      }
      const summary = textsIn(issue, ['description', 'design', 'acceptance_criteria', 'notes'])
      const delivered = statusOf(issue, path, context).status === 'done'
      projects.set(keyOf(issue.id), { title: issue.title, summary, tags: [issue.id], delivered })
    }
    const items = [...issues.values()].filter(({ isEpic }) => !isEpic).map((issue): TrackerIssue => {
      const { id, title, line, fields, parent } = issue
      const epic = epicOf(issue, issues)
      const project = keyOf(epic)
      if (!projects.has(project)) projects.set(project, { title: context.rootName })
      const { status, remark } = statusOf(issue, path, context)
      // A plan cannot wait for an item of another one.
      const elsewhere = (other: string): Issue | undefined => {
        const found = issues.get(other)
        return found && (found.isEpic || epicOf(found, issues) !== epic) ? found : undefined
      }
      const blockers = linksOf(fields, BLOCKS)
      const waits = blockers.flatMap((other) => elsewhere(other) ?? [])
        .map((other) => `Waits for ${other.id} "${other.title}".`).join(' ')
      return {
        id,
        title,
        texts: [remark, waits, textsIn(issue, ['description', 'design', 'notes'])],
        status,
        project,
        parent: elsewhere(parent) ? '' : parent,
        blockedBy: blockers.filter((other) => !elsewhere(other)),
        relatesTo: linksOf(fields, RELATES),
        acceptance: criteriaIn(textIn(fields, 'acceptance_criteria')),
        line,
        createdAt: readDate(fields['created_at']),
        updatedAt: readDate(fields['updated_at'])
      }
    })
    return trackerExplorations(path, 'beads', items, projects)
  }
}

interface Issue {
  id: string
  title: string
  isEpic: boolean
  /** Its id; '' when there is none. */
  parent: string
  fields: JsonObject
  line: number
}

/** What agents keep for themselves. */
const INTERNAL = /^(?:agent|role|rig|message|event|merge-request|gate|convoy|slot|wisp)$/
const BLOCKS = /^(?:blocks|conditional-blocks|waits-for)$/
const RELATES = /^(?:related|relates[-_]to|discovered-from)$/

/** The issues by their ids, without those that were deleted. */
const readIssues = ({ path, text }: SourceText, { report }: ConvertContext): Map<string, Issue> => {
  const issues = new Map<string, Issue>()
  let left = 0
  for (const [index, row] of text.split('\n').entries()) {
    const fields = row.trim() === '' ? {} : parseJsonOrUndefined(row)
    const id = isObject(fields) ? textIn(fields, 'id') : ''
    if (!isObject(fields) || (id === '' && fields['title'] !== undefined)) {
      report.problem(path, 'left out: the line is no issue of beads', index + 1)
    } else if (
      fields['status'] === 'tombstone' || fields['ephemeral'] === true || fields['is_template'] === true ||
      INTERNAL.test(textIn(fields, 'issue_type'))
    ) left++
    else if (id !== '') {
      // Children of bd-1 have ids such as bd-1.2.
      const parent = linksOf(fields, /^parent-child$/)[0] ?? /^(.+)\.\d+$/.exec(id)?.[1] ?? ''
      const isEpic = fields['issue_type'] === 'epic'
      issues.set(id, { id, title: textIn(fields, 'title') || id, isEpic, parent, fields, line: index + 1 })
    }
  }
  if (left > 0) report.note(path, `left out: ${pluralize(left, 'line')} of deleted issues or of agents' own`)
  return issues
}

const linksOf = (fields: JsonObject, kind: RegExp): string[] => objectsIn(fields, 'dependencies')
  .flatMap((one) => kind.test(textIn(one, 'type')) ? textIn(one, 'depends_on_id') || [] : [])

/** The id of the nearest epic above an issue; '' when there is none. */
const epicOf = ({ parent }: Issue, issues: ReadonlyMap<string, Issue>, depth = 0): string => {
  const above = issues.get(parent)
  return !above || depth > 20 ? '' : above.isEpic ? above.id : epicOf(above, issues, depth + 1)
}

const statusOf = ({ fields, line }: Issue, path: string, { statuses, report }: ConvertContext): ReadStatus => {
  const reason = textIn(fields, 'close_reason')
  if (isGivenUp(reason)) return { status: 'todo', remark: `Closed in the source: ${reason}. It is not to be done.` }
  const known = new Map([['hooked', 'in_progress'], ['pinned', 'todo'], ...statuses] as const)
  return readStatus(textIn(fields, 'status'), { statuses: known, report }, path, line)
}

const textsIn = ({ fields }: Issue, names: readonly string[]): string => paragraphs(
  factsLine({ Priority: textIn(fields, 'priority'), Labels: listOf(fields['labels']) }),
  ...names.map((name) => textIn(fields, name).replace(/^(?=\S)/, name === 'description' ? '' : `${name}:\n\n`))
)

const criteriaIn = (text: string): Criterion[] => text.split('\n').flatMap((row) => {
  const [, mark = '', criterion = ''] = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[([ xX])\]\s+)?(.*?)\s*$/.exec(row) ?? []
  return criterion === '' || criterion.startsWith('#') ? [] : [{ text: criterion, met: /x/i.test(mark) }]
})
