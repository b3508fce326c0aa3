/** Imports JSON of issues: `gh issue list`, `gh project item-list`, and the REST interfaces of GitHub and GitLab. */
import { isObject } from '../../lib/json/json-object.js'
import { trackerExplorations, type TrackerIssue } from '../csv/tracker-plan.js'
import { readDate } from '../drafts/dates.js'
import { factsLine } from '../drafts/packages.js'
import { readStatus, reportNoStatus } from '../drafts/statuses.js'
import { listOf, textOf } from '../markdown/front-matter.js'
import { nameAsTitle } from '../markdown/title.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import { baseName } from '../source/paths.js'
import { readJson } from '../source/read-json.js'
import { exportsNamed } from '../source/exports-named.js'
import type { ConvertContext, Importer, NewExploration } from '../types.js'

export const github: Importer = {
  id: 'github',
  about: 'JSON of gh issue list and gh project item-list, or of the REST interfaces of GitHub and GitLab',

  find: exportsNamed('github', /\.json$/i),

  recognizes (path, head) {
    if (!/\.json$/i.test(path)) return undefined
    const start = head.replace(/^\uFEFF?\s*/, '')
    if (/^\{(?:[^[{]*,)?\s*"(?:items|totalCount|issues)"\s*:/.test(start)) return 'a list of items or issues'
    return start.startsWith('[') && /"title"\s*:/.test(start) && /"(?:number|iid|id|body|labels)"\s*:/.test(start)
      ? 'a list of issues'
      : undefined
  },

  async convert ({ path }, context) {
    const value = await readJson(path, context)
    if (value === undefined) return []
    const list = Array.isArray(value)
      ? value
      : isObject(value)
        ? [value['items'], value['issues'], value['nodes']].find(Array.isArray)
        : undefined
    if (!Array.isArray(list)) {
      context.report.problem(path, 'left out: it has no list of issues or items')
      return []
    }
    const total = isObject(value) ? Number(value['totalCount']) : NaN
    if (total > list.length) {
      context.report.note(
        path,
        `${list.length} of ${total} items are in the file; gh lists 30 unless --limit says more`
      )
    }
    return explorationsOf(path, list, context)
  }
}

type Fields = Readonly<Record<string, unknown>>

const explorationsOf = (path: string, list: readonly unknown[], context: ConvertContext): NewExploration[] => {
  const records = list.filter(isObject)
  const issues = records.filter((record) => !isPullRequest(record))
  if (issues.length < records.length) {
    context.report.note(path, `left out: ${records.length - issues.length} pull requests`)
  }
  if (records.length < list.length) {
    context.report.problem(
      path,
      `${list.length - records.length} entries of the list are no issues and were left out`
    )
  }
  reportNoStatus(issues.map(statusWords), context.report, path, 'export them again with their state (--json …,state)')
  const repository = repositoryOf(issues[0])
  const read = issues.map((record) => ({ ...issueOf(record, path, context), project: repository }))
  return trackerExplorations(
    path,
    'github',
    read,
    new Map([[repository, { title: repository === '' ? nameAsTitle(baseName(path)) : repository }]])
  )
}

/** The issue of an item of a project. */
const contentOf = (record: Fields): Fields => isObject(record['content']) ? record['content'] : record

const isPullRequest = (record: Fields): boolean =>
  isObject(record['pull_request']) || contentOf(record)['type'] === 'PullRequest'

const issueOf = (record: Fields, path: string, context: ConvertContext): TrackerIssue => {
  const content = contentOf(record)
  const number = textOf(content['number']) || textOf(content['iid'])
  const id = number || (isObject(record['content']) ? '' : textOf(record['id']).slice(0, 128))
  const { status, remark } = readStatus(statusWords(record), context.statuses, context.report, path)
  const body = textOf(content['body']) || textOf(content['description'])
  const labels = namesIn(record['labels'] ?? content['labels'])
  const facts = factsLine({ Labels: labels, Assignees: namesIn(content['assignees']) })
  const criteria = listOf(record['acceptance_criteria'])
    .map((line) => `- ${line}`)
    .join('\n')
  const milestone = isObject(content['milestone'])
    ? textOf(content['milestone']['title'])
    : textOf(content['milestone'])
  const phase = textOf(record['phase'])
  return {
    id,
    title: textOf(record['title']) || textOf(content['title']) || id,
    description: [remark, facts, urlOf(content), body, criteria].filter(Boolean).join('\n\n'),
    status,
    group:
      milestone ||
      textOf(record['milestone']) ||
      (phase === '' ? '' : /^\d+$/.test(phase) ? `Phase ${phase}` : phase),
    blockedBy: [...listOf(record['dependencies']), ...mentionedIssues(body)],
    createdAt: readDate(content['createdAt'] ?? content['created_at']),
    updatedAt: readDate(content['updatedAt'] ?? content['updated_at'])
  }
}

/** The reason why an issue was given up, else its status or state; '' when it has none. */
const statusWords = (record: Fields): string => {
  const content = contentOf(record)
  const reason = (textOf(content['stateReason']) || textOf(content['state_reason'])).toLowerCase()
  if (reason === 'not_planned' || reason === 'duplicate') return reason
  return textOf(record['status']) || textOf(content['state'])
}

/** The issues in texts such as "Blocked by #12". */
const mentionedIssues = (body: string): string[] => mentionedDependencies(body).ids.filter((id) => id.startsWith('#'))

/** The first capture group is the repository; GitLab has groups within groups. */
const ISSUE_URL = /^https:\/\/[^/]+\/([^/]+(?:\/[^/]+)+?)(?:\/-)?\/(?:issues|pull|work_items)\/\d+$/

const urlOf = (content: Fields): string =>
  [content['html_url'], content['web_url'], content['url']].map(textOf).find((url) => ISSUE_URL.test(url)) ?? ''

const repositoryOf = (record: Fields = {}): string => ISSUE_URL.exec(urlOf(contentOf(record)))?.[1] ?? ''

const namesIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
      .map((entry: unknown) => (isObject(entry) ? textOf(entry['name']) || textOf(entry['login']) : textOf(entry)))
      .filter(Boolean)
    : []
