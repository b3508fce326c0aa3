/** Converts the issues of a tracker: one exploration per project or epic, with its issues as items of one plan. */
import { inheritedGroups } from '../drafts/inherited-group.js'
import { PlanDraft, type Criterion, type DraftStatus } from '../drafts/plan-draft.js'
import { naturally } from '../source/paths.js'
import type { NewExploration } from '../types.js'

/** What is absent is empty. */
export interface TrackerIssue {
  /** As written in the export; '' when it has none. */
  id: string
  title: string
  description: string
  status: DraftStatus
  /** The id of the exploration: of a project or an epic. */
  project?: string
  /** A cycle, sprint or milestone. */
  group?: string
  /** The id of the parent issue. */
  parent?: string
  blockedBy?: readonly string[]
  relatesTo?: readonly string[]
  acceptance?: readonly Criterion[]
  line?: number | undefined
  createdAt?: string | undefined
  updatedAt?: string | undefined
}

export interface TrackerProject {
  title: string
  summary?: string
  tags?: readonly string[]
  /** Whether it is delivered, whatever its issues are. */
  delivered?: boolean
}

/** `#12` and `12` are the same id. */
const normalize = (id: string): string => id.trim().toLowerCase().replace(/^#/, '')

/** Orders issues by their ids, because exports have no order. `projects`: what is known of each, by its id. */
export const trackerExplorations = (
  path: string,
  tag: string,
  issues: readonly TrackerIssue[],
  projects: ReadonlyMap<string, TrackerProject>
): NewExploration[] => {
  const byProject = new Map<string, TrackerIssue[]>([...projects.keys()].map((project) => [project, []]))
  for (const issue of issues) {
    const project = issue.project ?? ''
    byProject.set(project, [...(byProject.get(project) ?? []), issue])
  }
  return [...byProject].map(([project, own]) => {
    const plan = new PlanDraft(path, normalize, true)
    const sorted = own.every(({ id }) => id === '') ? own : [...own].sort((a, b) => naturally(a.id, b.id))
    // Among its group, an issue without an id goes by its title.
    const named = sorted.map(({ id, group = '', parent = '', ...issue }) =>
      ({ ...issue, group, parent, id: id || issue.title, ownId: id || undefined }))
    const known = new Set(named.map(({ id }) => normalize(id)))
    const groupOf = inheritedGroups(named, {
      normalize,
      ownGroup: ({ group }) => group,
      titleOf: ({ ownId, title }) => ownId === undefined ? title : `${ownId} ${title}`,
      defaultGroup: 'Issues'
    })
    for (const issue of named) {
      const { ownId, parent, description, blockedBy = [], relatesTo = [], title, status, line, acceptance = [] } = issue
      plan.addItem(plan.groupOf(groupOf(issue)), {
        id: ownId,
        title,
        description: [parent === '' ? '' : `Part of ${parent}.`, description].filter(Boolean).join('\n\n'),
        status,
        acceptance,
        line,
        dependsOn: { ids: [...blockedBy] },
        relatesTo: relatesTo.filter((other) => known.has(normalize(other)))
      })
    }
    const details = projects.get(project)
    const created = own.flatMap(({ createdAt }) => createdAt ?? []).sort()
    const updated = own.flatMap(({ updatedAt }) => updatedAt ?? []).sort()
    return {
      // The path of a project does not depend on the name of the export.
      path: project === '' ? path : project,
      title: details?.title ?? (project || 'No project'),
      status: details?.delivered === true ? 'delivered' : plan.progress,
      tags: [tag, ...(details?.tags ?? [])],
      summaries: details?.summary ? [{ kind: 'summary', text: details.summary }] : [],
      plan: plan.items.length > 0 ? plan : undefined,
      createdAt: created[0],
      updatedAt: updated.at(-1),
      source: { path, line: own[0]?.line }
    }
  })
}
