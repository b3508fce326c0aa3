/** The report of an import: what became of each source, what was left out and why, by file and line. */

export interface Remark {
  /** `problem`: a fault in the source, which `--strict` refuses. `note`: left out, or read in an unobvious way. */
  level: 'problem' | 'note'
  path: string
  line?: number | undefined
  message: string
}

export interface ImportOutcome {
  format: string
  path: string
  title: string
  status: string
  groups: number
  items: number
  done: number
  dependencies: number
  gates: number
  open_questions: number
  answered_questions: number
  packages: Array<{ artifact_type: string; paths: readonly string[] }>
  decisions: number
}

const MAX_REMARKS = 10_000

export class ImportReport {
  readonly remarks: Remark[] = []
  readonly outcomes: ImportOutcome[] = []
  /** Remarks beyond the limit, which are only counted. */
  omitted = 0

  problem (path: string, message: string, line?: number): void {
    this.add({ level: 'problem', path, line, message })
  }

  note (path: string, message: string, line?: number): void {
    this.add({ level: 'note', path, line, message })
  }

  add (remark: Remark): void {
    if (this.remarks.length < MAX_REMARKS) this.remarks.push(remark)
    else this.omitted++
  }

  get problems (): readonly Remark[] {
    return this.remarks.filter(({ level }) => level === 'problem')
  }
}
