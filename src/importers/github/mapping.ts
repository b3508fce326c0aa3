/** Imports JSON of issues: `gh issue list`, `gh project item-list`, and the REST interfaces of GitHub and GitLab. */
import { asObject, isObject, type JsonObject } from '../../lib/json/json-object.js'
import { trackerExplorations, type TrackerIssue } from '../csv/tracker-plan.js'
import { readDate } from '../drafts/dates.js'
import { factsLine } from '../drafts/packages.js'
import { readStatus, reportNoStatus } from '../drafts/statuses.js'
import { listOf, textIn, textOf } from '../markdown/front-matter.js'
import { nameAsTitle } from '../markdown/title.js'
import { mentionedDependencies } from '../markdown/dependencies.js'
import { baseName } from '../source/paths.js'
import { readJson } from '../source/read-json.js'
import type { ConvertContext, Importer, NewExploration } from '../types.js'

export const github: Importer = {
  id: 'github',
  about: 'JSON of gh issue list and gh project item-list, or of the REST interfaces of GitHub and GitLab',

  exports: {
    extension: /\.json$/i,
    recognizes (head) {
      const start = head.replace(/^\uFEFF?\s*/, '')
      if (/^\{(?:[^[{]*,)?\s*"(?:items|totalCount|issues)"\s*:/.test(start)) return 'a list of items or issues'
      return start.startsWith('[') && /"title"\s*:/.test(start) && /"(?:number|iid|id|body|labels)"\s*:/.test(start)
        ? 'a list of issues'
        : undefined
    }
  },

  async convert ({ path }, context) {
    const value = await readJson(path, context)
    if (value === undefined) return []
    const { items, issues, nodes, totalCount } = asObject(value)
    const list: unknown[] | undefined = [value, items, issues, nodes].find(Array.isArray)
    if (!list) {
      context.report.problem(path, 'left out: it has no list of issues or items')
      return []
    }
    if (Number(totalCount) > list.length) {
      const count = `${list.length} of ${String(totalCount)} items`
      context.report.note(path, `${count} are in the file; gh lists 30 unless --limit says more`)
    }
    return explorationsOf(path, list, context)
  }
}

const explorationsOf = (path: string, list: readonly unknown[], context: ConvertContext): NewExploration[] => {
  const { report } = context
  const records = list.filter(isObject)
  const issues = records.filter((record) => !isPullRequest(record))
  const requests = records.length - issues.length
  if (requests > 0) report.note(path, `left out: ${requests} pull requests`)
  const others = list.length - records.length
  if (others > 0) report.problem(path, `${others} entries of the list are no issues and were left out`)
  reportNoStatus(issues.map(statusWords), report, path, 'export them again with their state (--json …,state)')
  const [first = {}] = issues
  const project = ISSUE_URL.exec(urlOf(contentOf(first)))?.[1] ?? ''
  const read = issues.map((record) => ({ ...issueOf(record, path, context), project }))
  const title = project || nameAsTitle(baseName(path))
  return trackerExplorations(path, 'github', read, new Map([[project, { title }]]))
}

const contentOf = (record: JsonObject): JsonObject => isObject(record['content']) ? record['content'] : record

const isPullRequest = (record: JsonObject): boolean =>
  isObject(record['pull_request']) || contentOf(record)['type'] === 'PullRequest'

const issueOf = (record: JsonObject, path: string, context: ConvertContext): TrackerIssue => {
  const content = contentOf(record)
  const id = textIn(content, 'number', 'iid') || (content === record ? textIn(record, 'id').slice(0, 128) : '')
  const { status, remark } = readStatus(statusWords(record), context, path)
  const body = textIn(content, 'body', 'description')
  const labels = namesIn(record['labels'] ?? content['labels'])
  const { milestone } = content
  return {
    id,
    title: textIn(record, 'title') || textIn(content, 'title') || id,
    texts: [
      remark,
      factsLine({ Labels: labels, Assignees: namesIn(content['assignees']) }),
      urlOf(content),
      body,
      listOf(record['acceptance_criteria']).map((line) => `- ${line}`).join('\n')
    ],
    status,
    group: (isObject(milestone) ? textIn(milestone, 'title') : textOf(milestone)) || textIn(record, 'milestone') ||
      textIn(record, 'phase').replace(/^(?=\d+$)/, 'Phase '),
    // Such as "Blocked by #12".
    blockedBy: [
      ...listOf(record['dependencies']), ...mentionedDependencies(body).ids.filter((other) => other.startsWith('#'))
    ],
    createdAt: readDate(content['createdAt'] ?? content['created_at']),
    updatedAt: readDate(content['updatedAt'] ?? content['updated_at'])
  }
}

/** The reason why an issue was given up, else its status or state; '' when it has none. */
const statusWords = (record: JsonObject): string => {
  const content = contentOf(record)
  const reason = textIn(content, 'stateReason', 'state_reason').toLowerCase()
  if (reason === 'not_planned' || reason === 'duplicate') return reason
  return textIn(record, 'status') || textIn(content, 'state')
}

/** The first capture group is the repository; GitLab has groups within groups. */
const ISSUE_URL = /^https:\/\/[^/]+\/([^/]+(?:\/[^/]+)+?)(?:\/-)?\/(?:issues|pull|work_items)\/\d+$/

const urlOf = (content: JsonObject): string =>
  [content['html_url'], content['web_url'], content['url']].map(textOf).find((url) => ISSUE_URL.test(url)) ?? ''

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value : [])
  .map((entry: unknown) => isObject(entry) ? textIn(entry, 'name', 'login') : textOf(entry))
  .filter(Boolean)
