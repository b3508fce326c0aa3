/**
 * What search reads of the explorations, in memory. It follows the database by revisions, which triggers write in the
 * transaction of each change: `apply` brings it to a later one.
 */
import { lruSet } from '../../lib/lru.js'
import type { ExplorationRow } from './memory-statements.js'
import { indexExploration, type IndexedExploration } from './indexed-exploration.js'
import { createSearchView, type SearchView } from './search-view.js'
import { createVectorRowsStore } from './vector-rows.js'

// More are left to the statements: so many words, with their positions, and numbers take 80 MB.
const MAX_EXPLORATIONS = 5000
const MAX_WORDS = 4_000_000
const MAX_LEXEMES = 400_000
const MAX_NUMBERS = 8_000_000
const MAX_VIEWS = 8

export interface SearchMemory {
  /** All changes up to this one are in it. */
  readonly revision: number
  /** Whether it holds less than it may. */
  readonly fits: boolean
  /**
   * Takes what the database has of these explorations, at this revision; those without a row are gone. Returns the
   * workspaces that this changed, with how many explorations they have now.
   */
  apply (ids: readonly string[], rows: readonly ExplorationRow[], revision: number): Map<string, number>
  /** The explorations of these workspaces. */
  view (workspaces: readonly string[]): SearchView
  /** The number of a word; undefined when it stands nowhere. */
  numberOf (lexeme: string): number | undefined
}

/** Creates an empty memory, of the database as it is before its first revision. */
export const createSearchMemory = (): SearchMemory => {
  const workspaceOf = new Map<string, string>()
  const byWorkspace = new Map<string, Map<string, IndexedExploration>>()
  const numbers = new Map<string, number>()
  const views = new Map<string, SearchView>()
  const vectorRows = createVectorRowsStore()
  let revision = 0
  let [words, floats] = [0, 0]

  const count = (exploration: IndexedExploration | undefined, sign: 1 | -1): void => {
    words += sign * (exploration?.words.length ?? 0)
    floats += sign * (exploration?.vectors.reduce((sum, { numbers: { length } }) => sum + length, 0) ?? 0)
  }

  /** Returns the workspace that it was in. */
  const forget = (id: string): string | undefined => {
    const workspace = workspaceOf.get(id)
    if (workspace === undefined) return undefined
    const explorations = byWorkspace.get(workspace)
    count(explorations?.get(id), -1)
    explorations?.delete(id)
    if (explorations?.size === 0) byWorkspace.delete(workspace)
    workspaceOf.delete(id)
    return workspace
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
      if (ids.length > 0 || rows.length > 0) {
        views.clear()
        vectorRows.clear()
      }
      const changed = ids.flatMap((id) => forget(id) ?? [])
      for (const row of rows) {
        const { id, workspace_id: workspace } = row
        forget(id)
        const exploration = indexExploration(row, numberFor)
        count(exploration, 1)
        workspaceOf.set(id, workspace)
        const explorations = byWorkspace.get(workspace) ?? new Map<string, IndexedExploration>()
        byWorkspace.set(workspace, explorations.set(id, exploration))
        changed.push(workspace)
      }
      revision = Math.max(revision, newer)
      return new Map(changed.map((workspace) => [workspace, byWorkspace.get(workspace)?.size ?? 0]))
    },

    view (workspaces) {
      const names = [...new Set(workspaces)].sort()
      const key = names.join()
      const view = views.get(key) ??
        createSearchView(names.flatMap((id) => [...byWorkspace.get(id)?.values() ?? []]), vectorRows)
      return lruSet(views, key, view, MAX_VIEWS)
    },

    numberOf: (lexeme) => numbers.get(lexeme)
  }
}
