/** The issues of a tracker → explorations: one for each project or epic, with the issues as items of one plan. */
import { PlanDraft, type ItemStatus } from '../drafts/plan-draft.js'
import { naturally } from '../source/paths.js'
import type { ExplorationDraft } from '../types.js'

export interface TrackerIssue {
  /** As the tracker writes it; '' when the export has none. */
  id: string
  title: string
  description: string
  status: ItemStatus
  /** The exploration: a project or an epic, by what identifies it. */
  project: string
  /** A cycle, sprint or milestone; '' when there is none. */
  group: string
  /** The id of the issue that this is a part of; '' when there is none. */
  parent: string
  blockedBy: readonly string[]
  relatesTo: readonly string[]
  line: number | undefined
  createdAt: string | undefined
  updatedAt: string | undefined
}

export interface TrackerProject {
  title: string
  summary?: string
  url?: string
  tags?: readonly string[]
}

/** The main id part of `#12` and `12` alike. */
const normalize = (id: string): string => id.trim().toLowerCase().replace(/^#/, '')

/** Issues keep the order of their ids: an export has none. `projects`: what is known of each, by its identity. */
export const trackerExplorations = (
  path: string,
  tag: string,
  issues: readonly TrackerIssue[],
  projects: ReadonlyMap<string, TrackerProject>,
  defaultGroup = 'Issues'
): ExplorationDraft[] => {
  const byProject = new Map<string, TrackerIssue[]>()
  for (const issue of issues) byProject.set(issue.project, [...(byProject.get(issue.project) ?? []), issue])
  for (const project of projects.keys()) if (!byProject.has(project)) byProject.set(project, [])
  return [...byProject].map(([project, own]) => {
    const plan = new PlanDraft(path, normalize)
    const sorted = own.every(({ id }) => id === '') ? own : [...own].sort((a, b) => naturally(a.id, b.id))
    const byId = new Map(sorted.map((issue) => [normalize(issue.id), issue]))
    const parents = new Set(
      sorted.flatMap(({ parent }) => (parent === '' || !byId.has(normalize(parent)) ? [] : [normalize(parent)]))
    )
    for (const issue of sorted) {
      plan.addItem(plan.groupOf(groupOf(issue, byId, parents, defaultGroup)), {
        id: issue.id || undefined,
        title: issue.title,
        description: [issue.parent === '' ? '' : `Part of ${issue.parent}.`, issue.description]
          .filter(Boolean)
          .join('\n\n'),
        status: issue.status,
        line: issue.line,
        dependsOn: { ids: [...issue.blockedBy] },
        relatesTo: issue.relatesTo.filter((other) => byId.has(normalize(other)))
      })
    }
    const known = projects.get(project)
    const created = own.flatMap(({ createdAt }) => createdAt ?? []).sort()
    const updated = own.flatMap(({ updatedAt }) => updatedAt ?? []).sort()
    const items = plan.items
    return {
      // A project is the same one whatever the file of its export is called.
      path: project === '' ? path : project,
      title: known?.title ?? (project || 'No project'),
      status:
        items.length > 0 && items.every(({ status }) => status === 'done')
          ? 'delivered'
          : items.length > 0
            ? 'ready'
            : 'draft',
      tags: [tag, ...(known?.tags ?? [])],
      summaries: known?.summary ? [{ kind: 'summary', text: known.summary }] : [],
      questions: [],
      packages: [],
      plan: items.length > 0 ? plan : undefined,
      createdAt: created[0],
      updatedAt: updated.at(-1),
      source: { path, line: own[0]?.line }
    }
  })
}

/** Its own group; else that of its parent, or the parent itself. */
const groupOf = (
  issue: TrackerIssue,
  byId: ReadonlyMap<string, TrackerIssue>,
  parents: ReadonlySet<string>,
  defaultGroup: string,
  depth = 0
): string => {
  if (issue.group !== '') return issue.group
  const parent = byId.get(normalize(issue.parent))
  if (parent && parent !== issue && depth < 20) return groupOf(parent, byId, parents, defaultGroup, depth + 1)
  return parents.has(normalize(issue.id)) && issue.id !== '' ? `${issue.id} ${issue.title}` : defaultGroup
}
