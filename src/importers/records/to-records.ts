/** Converts drafts to records of the import format. The same source always gets the same ids. */
import { createHash } from 'node:crypto'
import type {
  ExecutionPlanLine, ExplorationLine, Line, RecommendationLine, RequirementPackageLine, WorkspaceLine
} from '../../planning/records.js'
import type { ImportReport } from '../report.js'
import type { ExplorationDraft, FormatId } from '../types.js'
import { cut, LIMITS, planRecord } from './plan-record.js'

/** What the ids of records are derived from, beside their format and path. */
export interface RecordOwner {
  /** The slug of the workspace, or its id when the slug is not known. */
  workspace: string
  workspaceId: string
  /** Distinguishes two repositories in one workspace; '' unless the repository's settings set one. */
  sourceName: string
}

export interface RecordContext extends RecordOwner {
  report: ImportReport
  /** The URL of a place in the source; undefined when there is none that a record may hold. */
  urlOf(path: string, line?: number): string | undefined
  /** RFC 3339 times of a file: its first and its last change. */
  timesOf(path: string): Promise<{ created: string; modified: string }>
}

export interface ExplorationRecords {
  format: FormatId
  path: string
  /** The title in the source. The exploration has another one when two have the same. */
  title: string
  /** Former paths of it, by git. */
  former: readonly string[]
  exploration: ExplorationLine
  packages: RequirementPackageLine[]
  plan: ExecutionPlanLine | undefined
  decisions: Array<{ path: string; former: readonly string[]; record: RecommendationLine }>
}

/** The id that an import gives to the workspace with this slug. */
export const workspaceIdOf = (slug: string): string => uuid5('workspace', slug)

/** The record of a new workspace, named by its slug. `createdAt` is RFC 3339. */
export const workspaceRecord = (slug: string, createdAt: string): WorkspaceLine => ({
  type: 'workspace',
  id: workspaceIdOf(slug),
  slug,
  name: slug,
  created_at: createdAt
})

/** Converts one draft. What does not fit the limits is cut and reported as a problem. */
export const toRecords = async (
  format: FormatId, draft: ExplorationDraft, context: RecordContext
): Promise<ExplorationRecords> => {
  const { workspace, workspaceId, sourceName, report, urlOf, timesOf } = context
  const { path, source, questions } = draft
  const id = uuid5(workspace, format, sourceName, path)
  const times = await timesOf(source.path)
  const createdAt = draft.createdAt ?? times.created
  const updatedAt = draft.updatedAt ?? times.modified
  const updated = Date.parse(updatedAt) > Date.parse(createdAt) ? updatedAt : createdAt
  const title = cut(draft.title.trim() || 'Untitled', LIMITS.explorationTitle)
  const url = urlOf(source.path, source.line)
  if (questions.length > LIMITS.questions) {
    report.problem(path, `only the first ${LIMITS.questions} of ${questions.length} questions were imported`)
  }
  const exploration: ExplorationLine = {
    type: 'exploration',
    id,
    workspace_id: workspaceId,
    title,
    status: draft.status,
    tags: [...new Set(draft.tags.map((tag) => cut(tag.trim(), LIMITS.tag)).filter(Boolean))].slice(0, LIMITS.tags),
    ...(url !== undefined && url.length <= LIMITS.url && { url }),
    summaries: draft.summaries
      .filter(({ text }) => text.trim() !== '')
      .slice(0, LIMITS.summaries)
      .map(({ kind, text }) => ({ kind, text: cut(text.trim(), LIMITS.summary) })),
    questions: questions.slice(0, LIMITS.questions).map(({ question, answer, section }, index) => ({
      id: `q${index + 1}`,
      ...(section && { section: cut(section, LIMITS.section) }),
      question: cut(question, LIMITS.question),
      answer: answer === undefined ? null : cut(answer, LIMITS.answer),
      status: answer === undefined ? 'open' : 'answered'
    })),
    created_at: createdAt,
    updated_at: updated
  }
  const plan = draft.plan && planRecord(draft.plan, report)
  return {
    format,
    path,
    title,
    former: [],
    exploration,
    packages: draft.packages.map(({ artifactType, markdown, paths }) => {
      const text = cut(markdown, LIMITS.markdown)
      if (text !== markdown) {
        report.problem(paths[0] ?? '', `the package ${artifactType} was cut at ${LIMITS.markdown} characters`)
      }
      const named = { exploration_id: id, artifact_type: artifactType }
      return { type: 'requirement_package', ...named, markdown: text, version: 1, updated_at: updated }
    }),
    plan: plan && plan.items.length > 0
      ? {
          type: 'execution_plan',
          exploration_id: id,
          version: 1,
          compilation_state: 'compiled',
          updated_at: updated,
          ...plan
        }
      : undefined,
    decisions: draft.decisions.map(({ path: place, title: name, body, status, decidedAt }) => ({
      path: place,
      former: [],
      record: {
        type: 'recommendation',
        id: uuid5(workspace, format, sourceName, place, 'decision'),
        exploration_id: id,
        kind: 'strategy',
        title: cut(name, LIMITS.decisionTitle),
        body: cut(body, LIMITS.decisionBody),
        status,
        approved_by: null,
        approved_at: status === 'approved' ? (decidedAt ?? null) : null
      }
    }))
  }
}

/** The records in the order in which an import needs them. */
export const linesOf = (
  { exploration, packages, plan, decisions }: Omit<ExplorationRecords, 'format' | 'title'>
): Line[] => [
  exploration,
  ...packages,
  ...(plan ? [plan] : []),
  ...decisions.map(({ record }) => record)
]

const NAMESPACE = Buffer.from('6f0c4a1e5d3b4c8a9e72b1d04f6a8c35', 'hex')

/** UUID version 5 (RFC 9562) of these parts. U+0000 separates them, so that different lists never have one name. */
export const uuid5 = (...parts: readonly string[]): string => {
  const hash = createHash('sha1').update(NAMESPACE).update(parts.join('\0'), 'utf8').digest().subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
