/** Converts the issues of a tracker: one exploration per project or epic, with its issues as items of one plan. */
import { inheritedGroup, type TaskTree } from '../drafts/inherited-group.js'
import { PlanDraft, type DraftStatus } from '../drafts/plan-draft.js'
import { naturally } from '../source/paths.js'
import type { ExplorationDraft } from '../types.js'

export interface TrackerIssue {
  /** As written in the export; '' when it has none. */
  id: string
  title: string
  description: string
  status: DraftStatus
  /** The id of the exploration: of a project or an epic. */
  project: string
  /** A cycle, sprint or milestone; '' when there is none. */
  group: string
  /** The id of the parent issue; '' when there is none. */
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

/** `#12` and `12` are the same id. */
const normalize = (id: string): string => id.trim().toLowerCase().replace(/^#/, '')

/** Orders issues by their ids, because exports have no order. `projects`: what is known of each, by its id. */
export const trackerExplorations = (
  path: string,
  tag: string,
  issues: readonly TrackerIssue[],
  projects: ReadonlyMap<string, TrackerProject>
): ExplorationDraft[] => {
  const byProject = new Map<string, TrackerIssue[]>()
  for (const issue of issues) byProject.set(issue.project, [...(byProject.get(issue.project) ?? []), issue])
  for (const project of projects.keys()) if (!byProject.has(project)) byProject.set(project, [])
  return [...byProject].map(([project, own]) => {
    const plan = new PlanDraft(path, normalize, true)
    const sorted = own.every(({ id }) => id === '') ? own : [...own].sort((a, b) => naturally(a.id, b.id))
    // Among its group, an issue without an id goes by its title.
    const named = sorted.map((issue) => ({ ...issue, id: issue.id || issue.title, ownId: issue.id || undefined }))
    const byId = new Map(named.map((issue) => [normalize(issue.id), issue]))
    const parents = new Set(
      sorted.flatMap(({ parent }) => (parent === '' || !byId.has(normalize(parent)) ? [] : [normalize(parent)]))
    )
    const tree: TaskTree<TrackerIssue & { ownId: string | undefined }> = {
      byId,
      parents,
      normalize,
      ownGroup: ({ group }) => group,
      titleOf: ({ ownId, title }) => ownId === undefined ? title : `${ownId} ${title}`,
      defaultGroup: 'Issues'
    }
    for (const issue of named) {
      plan.addItem(plan.groupOf(inheritedGroup(issue, tree)), {
        id: issue.ownId,
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
    const projectDetails = projects.get(project)
    const created = own.flatMap(({ createdAt }) => createdAt ?? []).sort()
    const updated = own.flatMap(({ updatedAt }) => updatedAt ?? []).sort()
    const items = plan.items
    return {
      // The path of a project does not depend on the name of the export.
      path: project === '' ? path : project,
      title: projectDetails?.title ?? (project || 'No project'),
      status: plan.progress,
      tags: [tag, ...(projectDetails?.tags ?? [])],
      summaries: projectDetails?.summary ? [{ kind: 'summary', text: projectDetails.summary }] : [],
      questions: [],
      packages: [],
      plan: items.length > 0 ? plan : undefined,
      createdAt: created[0],
      updatedAt: updated.at(-1),
      source: { path, line: own[0]?.line }
    }
  })
}
