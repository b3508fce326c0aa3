/** The interface of importers: drafts of explorations from the files of a repository, before ids and limits. */
import type { ExplorationStatus, ItemStatus, Recommendation } from '../planning/records.js'
import type { PlanDraft } from './drafts/plan-draft.js'
import type { ImportReport } from './report.js'

export const FORMATS = [
  'spec-kit', 'openspec', 'kiro', 'backlog-md', 'task-master', 'agent-os', 'bmad', 'beads', 'adr', 'rfc', 'linear-csv',
  'jira-csv', 'github', 'trello', 'checklist', 'ndjson'
] as const

export type FormatId = (typeof FORMATS)[number]

/** The text of one file: `text` without its byte order mark, line ends as they are. */
export interface SourceText {
  path: string
  text: string
  /** The text is markdown, whatever the extension is. */
  markdown?: boolean
}

/** Files that are converted together, and again together when one of them changes. */
export interface ImportUnit {
  format: FormatId
  /** Identifies the unit: a path inside the root. */
  path: string
  /** Paths of all files that it reads, in the order of the walk. */
  files: readonly string[]
  /** Why the files belong to this format, for the report. */
  reason: string
}

export interface QuestionDraft {
  question: string
  answer?: string | undefined
  section?: string | undefined
  line?: number | undefined
}

export interface PackageDraft {
  artifactType: string
  markdown: string
  /** The files of the package, for the report. */
  paths: readonly string[]
}

export interface DecisionDraft {
  /** Identifies it: a path inside the root. */
  path: string
  title: string
  body: string
  status: Recommendation['status']
  decidedAt?: string | undefined
}

export interface ExplorationDraft {
  /** Identifies the exploration within its format; see `ImportUnit.path`. */
  path: string
  title: string
  status: ExplorationStatus
  tags: readonly string[]
  summaries: ReadonlyArray<{ kind: string; text: string }>
  questions: readonly QuestionDraft[]
  packages: readonly PackageDraft[]
  decisions: readonly DecisionDraft[]
  plan?: PlanDraft | undefined
  /** RFC 3339; absent when the source has none. */
  createdAt?: string | undefined
  updatedAt?: string | undefined
  source: { path: string; line?: number | undefined }
}

/** What is absent is empty, or follows from the plan and the unit: status, path, and its first file as source. */
export type NewExploration = Pick<ExplorationDraft, 'title' | 'tags'> & Partial<Omit<ExplorationDraft, 'source'>> &
  { source?: ExplorationDraft['source'] | undefined }

export interface ConvertContext {
  rootName: string
  report: ImportReport
  /** Status words of a team beyond the known ones, in lower case. */
  statuses: ReadonlyMap<string, ItemStatus>
  /** The file's names of columns, by standard name. */
  columns: ReadonlyMap<string, string>
  /** Undefined, and reported, when the file cannot be read. */
  read(path: string): Promise<SourceText | undefined>
  /** Those that can be read. */
  readAll(paths: readonly string[]): Promise<SourceText[]>
}

export interface Importer {
  id: FormatId
  /** One line for the documentation and `--help`. */
  about: string
  /** Finds the units among the paths; similar files are reported. `forced`: the user named the format. */
  find?(paths: readonly string[], report: ImportReport, forced?: boolean): ImportUnit[]
  /**
   * Instead, of exports in single files: any table or list may look like one, so that only named ones are taken.
   * `recognizes` gives the reason why a file is one, by its beginning; undefined when it is none.
   */
  exports?: { extension: RegExp, recognizes(head: string): string | undefined }
  convert(unit: ImportUnit, context: ConvertContext): Promise<NewExploration[]>
}
