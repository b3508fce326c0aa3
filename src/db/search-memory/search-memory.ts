/**
 * What search reads of the explorations, in the memory of the embedded server. It follows the database by revisions,
 * which triggers write in the transaction of each change: `apply` brings it to a later one.
 */
import type { ExplorationRow } from './memory-statements.js'
import { indexExploration, type IndexedExploration } from './indexed-exploration.js'

// More are left to the statements: so many words and numbers take 60 MB.
const MAX_EXPLORATIONS = 5000
const MAX_WORDS = 4_000_000
const MAX_LEXEMES = 400_000
const MAX_NUMBERS = 8_000_000
// Texts that are read again take as much; the others are read from the database.
const MAX_TEXT_BYTES = 24_000_000

export interface SearchMemory {
  /** All changes up to this one are in it. */
  readonly revision: number
  /** Whether it holds less than it may. */
  readonly fits: boolean
  /** Takes what the database has of these explorations, at this revision; those without a row are gone. */
  apply (ids: readonly string[], rows: readonly ExplorationRow[], revision: number): void
  /** How many explorations these workspaces have. */
  countOf (workspaces: readonly string[]): number
  /** The explorations of these workspaces. */
  of (workspaces: readonly string[]): IndexedExploration[]
  /** The number of a word; undefined when it stands nowhere. */
  numberOf (lexeme: string): number | undefined
  text (id: string): string | undefined
  rememberText (id: string, text: string): void
}

/** Creates an empty memory, of the database as it is before its first revision. */
export const createSearchMemory = (): SearchMemory => {
  const workspaceOf = new Map<string, string>()
  const byWorkspace = new Map<string, Map<string, IndexedExploration>>()
  const numbers = new Map<string, number>()
  const texts = new Map<string, Buffer>()
  let revision = 0
  let [words, floats, textBytes] = [0, 0, 0]

  const count = (exploration: IndexedExploration | undefined, sign: 1 | -1): void => {
    words += sign * (exploration?.words.length ?? 0)
    floats += sign * (exploration?.vectors.reduce((sum, { numbers: { length } }) => sum + length, 0) ?? 0)
  }

  const forgetText = (id: string): void => {
    textBytes -= texts.get(id)?.length ?? 0
    texts.delete(id)
  }

  const forget = (id: string): void => {
    forgetText(id)
    const workspace = workspaceOf.get(id)
    if (workspace === undefined) return
    const explorations = byWorkspace.get(workspace)
    count(explorations?.get(id), -1)
    explorations?.delete(id)
    workspaceOf.delete(id)
  }

  const numberFor = (lexeme: string): number => {
    let number = numbers.get(lexeme)
    if (number === undefined) numbers.set(lexeme, number = numbers.size)
    return number
  }

  return {
    get revision () {
      return revision
    },

    get fits () {
      return workspaceOf.size <= MAX_EXPLORATIONS && words <= MAX_WORDS && floats <= MAX_NUMBERS &&
        numbers.size <= MAX_LEXEMES
    },

    apply (ids, rows, newer) {
      ids.forEach(forget)
      for (const row of rows) {
        const { id, workspace_id: workspace } = row
        forget(id)
        const exploration = indexExploration(row, numberFor)
        count(exploration, 1)
        workspaceOf.set(id, workspace)
        const explorations = byWorkspace.get(workspace) ?? new Map<string, IndexedExploration>()
        byWorkspace.set(workspace, explorations.set(id, exploration))
      }
      revision = Math.max(revision, newer)
    },

    countOf: (workspaces) => [...new Set(workspaces)].reduce((sum, id) => sum + (byWorkspace.get(id)?.size ?? 0), 0),

    of: (workspaces) => [...new Set(workspaces)].flatMap((id) => [...byWorkspace.get(id)?.values() ?? []]),

    numberOf: (lexeme) => numbers.get(lexeme),

    text (id) {
      const bytes = texts.get(id)
      if (!bytes) return undefined
      // What was read last goes last.
      texts.delete(id)
      texts.set(id, bytes)
      return bytes.toString()
    },

    rememberText (id, text) {
      forgetText(id)
      const bytes = Buffer.from(text)
      texts.set(id, bytes)
      textBytes += bytes.length
      for (const oldest of texts.keys()) {
        if (textBytes <= MAX_TEXT_BYTES) break
        forgetText(oldest)
      }
    }
  }
}
