/** Converts the issues of a tracker: one exploration per project or epic, with its issues as items of one plan. */
import type { Criterion, ItemStatus } from '../../planning/records.js'
import { paragraphs } from '../drafts/packages.js'
import { inheritedGroups, PlanDraft } from '../drafts/plan-draft.js'
import { naturally } from '../source/paths.js'
import type { NewExploration } from '../types.js'

/** What is absent is empty. */
export interface TrackerIssue {
  /** As written in the export; '' when it has none. */
  id: string
  title: string
  /** The paragraphs of its description. */
  texts: readonly string[]
  status: ItemStatus
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
  path: string, tag: string, issues: readonly TrackerIssue[], projects: ReadonlyMap<string, TrackerProject>
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
    const named = sorted.map((issue) => {
      const { id, title, parent = '', group = '' } = issue
      return { issue, id: id || title, parent, group, title: `${id} ${title}`.trim() }
    })
    const known = new Set(named.map(({ id }) => normalize(id)))
    const groupOf = inheritedGroups(named, normalize, 'Issues')
    for (const task of named) {
      const { issue, parent } = task
      const { id, texts, title, status, line, acceptance = [] } = issue
      plan.addItem(plan.groupOf(groupOf(task)), {
        id: id || undefined,
        title,
        description: paragraphs(parent && `Part of ${parent}.`, ...texts),
        status,
        acceptance,
        line,
        dependsOn: { ids: [...issue.blockedBy ?? []] },
        relatesTo: (issue.relatesTo ?? []).filter((other) => known.has(normalize(other)))
      })
    }
    const { title, summary = '', tags = [], delivered = false }: TrackerProject =
      projects.get(project) ?? { title: project }
    return {
      // The path of a project does not depend on the name of the export.
      path: project || path,
      title,
      status: delivered ? 'delivered' : plan.progress,
      tags: [tag, ...tags],
      summaries: [{ kind: 'summary', text: summary }],
      plan,
      createdAt: own.flatMap(({ createdAt }) => createdAt ?? []).sort()[0],
      updatedAt: own.flatMap(({ updatedAt }) => updatedAt ?? []).sort().at(-1),
      source: { path, line: own[0]?.line }
    }
  })
}
