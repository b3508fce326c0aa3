/** What every importer is and makes: drafts of explorations out of the files of a repository, before they get ids and limits. */
import type { ExplorationStatus, Recommendation } from '../planning/records.js'
import type { PlanDraft } from './drafts/plan-draft.js'
import type { ImportReport } from './report.js'

export type FormatId =
  | 'spec-kit'
  | 'openspec'
  | 'kiro'
  | 'backlog-md'
  | 'task-master'
  | 'adr'
  | 'rfc'
  | 'linear-csv'
  | 'jira-csv'
  | 'github'
  | 'ndjson'

/** The text of one file: `text` without its byte order mark, line ends as they are. */
export interface SourceText {
  path: string
  text: string
}

/** Files that become one or more explorations together, and are converted again together when one of them changes. */
export interface ImportUnit {
  format: FormatId
  /** Identifies the unit: a path inside the root, with `/`. */
  path: string
  /** Paths of all files that it reads, in the order of the file system. */
  files: readonly string[]
  /** Why the files were taken for this format, for the report. */
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
  title?: string | undefined
  markdown: string
  /** The files that it holds, for the report. */
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
  decisions?: readonly DecisionDraft[]
  plan?: PlanDraft | undefined
  /** RFC 3339; absent when the source does not say. */
  createdAt?: string | undefined
  updatedAt?: string | undefined
  /** Where a reader finds the source. */
  source: { path: string; line?: number | undefined }
}

/** How the words that a team uses for a status are read, beyond those that are known: lower case → status. */
export type StatusMap = ReadonlyMap<string, 'todo' | 'in_progress' | 'done' | 'blocked'>

export interface ConvertContext {
  /** The name of the root folder, for units that have no name of their own. */
  rootName: string
  report: ImportReport
  statuses: StatusMap
  /** Columns of an export by their own names: our column → the file's. */
  columns: ReadonlyMap<string, string>
  /** Undefined, and reported, when the file cannot be read. */
  read(path: string): Promise<SourceText | undefined>
}

export interface Importer {
  id: FormatId
  /** One line for the documentation and `--help`. */
  about: string
  /** The units among the paths of a repository; files that only look alike go into the report. `forced`: the user named the format. */
  find(paths: readonly string[], report: ImportReport, forced?: boolean): ImportUnit[]
  /** Whether the beginning of a single file, named by the user, is an export of this format. Absent for folders of files. */
  recognizes?(path: string, head: string): string | undefined
  convert(unit: ImportUnit, context: ConvertContext): Promise<ExplorationDraft[]>
}
