/** Converts drafts to records of the import format. The same source always gets the same ids. */
import type {
  ExplorationLine,
  Line,
  RecommendationLine,
  RequirementPackageLine,
  WorkspaceLine
} from '../../planning/records.js'
import type { ImportReport } from '../report.js'
import type { ExplorationDraft, FormatId, PackageDraft } from '../types.js'
import { cut, LIMITS } from './limits.js'
import { planRecord } from './plan-record.js'
import { uuid5 } from './uuid5.js'

/** Identifies the workspace: by its slug, or by its id when the slug is not known. */
export interface RecordContext {
  workspace: string
  workspaceId: string
  /** Distinguishes two repositories in one workspace; '' when there is one. */
  source: string
  report: ImportReport
  /** The URL of a place in the source; undefined when there is none that a record may hold. */
  urlOf(path: string, line?: number): string | undefined
  /** RFC 3339 times of a file: its first and its last change. */
  timesOf(path: string): Promise<{ created: string; modified: string }>
}

/** The records of one exploration, and their origin. */
export interface ExplorationRecords {
  format: FormatId
  path: string
  /** The title in the source. The exploration has another one when two have the same. */
  title: string
  /** Former paths of it, by git. */
  former: string[]
  exploration: ExplorationLine
  packages: RequirementPackageLine[]
  plan: Extract<Line, { type: 'execution_plan' }> | undefined
  decisions: Array<{ path: string; former: string[]; record: RecommendationLine }>
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
  format: FormatId,
  draft: ExplorationDraft,
  context: RecordContext
): Promise<ExplorationRecords> => {
  const { workspace, workspaceId, source, report } = context
  const id = uuid5(workspace, format, source, draft.path)
  const times = await context.timesOf(draft.source.path)
  const createdAt = draft.createdAt ?? times.created
  const updatedAt =
    [draft.updatedAt ?? times.modified, createdAt].sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? createdAt
  const title = cut(draft.title.trim() || 'Untitled', LIMITS.explorationTitle)
  const url = context.urlOf(draft.source.path, draft.source.line)
  if (draft.questions.length > LIMITS.questions) {
    report.problem(
      draft.path,
      `only the first ${LIMITS.questions} of ${draft.questions.length} questions were imported`
    )
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
    questions: draft.questions.slice(0, LIMITS.questions).map(({ question, answer, section }, index) => ({
      id: `q${index + 1}`,
      ...(section !== undefined && section !== '' && { section: cut(section, LIMITS.section) }),
      question: cut(question, LIMITS.question),
      answer: answer === undefined ? null : cut(answer, LIMITS.answer),
      status: answer === undefined ? ('open' as const) : ('answered' as const)
    })),
    created_at: createdAt,
    updated_at: updatedAt
  }
  const plan = draft.plan && {
    type: 'execution_plan' as const,
    exploration_id: id,
    version: 1,
    compilation_state: 'compiled' as const,
    updated_at: updatedAt,
    ...planRecord(draft.plan, report)
  }
  return {
    format,
    path: draft.path,
    title,
    former: [],
    exploration,
    packages: joined(draft.packages).map((part) => packageRecord(part, id, updatedAt, report)),
    plan: plan && plan.items.length > 0 ? plan : undefined,
    decisions: (draft.decisions ?? []).map(({ path, title: name, body, status, decidedAt }) => ({
      path,
      former: [],
      record: {
        type: 'recommendation',
        id: uuid5(workspace, format, source, path, 'decision'),
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

/** Joins packages of the same artifact type. */
const joined = (packages: readonly PackageDraft[]): PackageDraft[] => {
  const byType = new Map<string, PackageDraft>()
  for (const part of packages) {
    const other = byType.get(part.artifactType)
    byType.set(
      part.artifactType,
      other
        ? {
            ...other,
            markdown: `${other.markdown.trimEnd()}\n\n${part.markdown}`,
            paths: [...other.paths, ...part.paths]
          }
        : part
    )
  }
  return [...byType.values()]
}

const packageRecord = (
  { artifactType, title, markdown, paths }: PackageDraft,
  id: string,
  updatedAt: string,
  report: ImportReport
): RequirementPackageLine => {
  const text = cut(markdown, LIMITS.markdown)
  if (text !== markdown) {
    report.problem(paths[0] ?? '', `the package ${artifactType} was cut at ${LIMITS.markdown} characters`)
  }
  return {
    type: 'requirement_package',
    exploration_id: id,
    artifact_type: artifactType,
    ...(title !== undefined && title.trim() !== '' && { title: cut(title, 500) }),
    markdown: text,
    version: 1,
    updated_at: updatedAt
  }
}

/** The records in the order in which an import needs them. */
export const linesOf = ({ exploration, packages, plan, decisions }: ExplorationRecords): Line[] => [
  exploration,
  ...packages,
  ...(plan ? [plan] : []),
  ...decisions.map(({ record }) => record)
]
