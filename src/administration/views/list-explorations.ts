/** Lists explorations for a page: the newest, or those that a search finds, and where its words are in each snippet. */
import type { CatalogEntry, ExplorationCatalog } from '../../db/planning/sql-exploration-catalog.js'
import type { SearchHit } from '../../planning/store.js'
import type { WebPerson } from '../permission.js'
import { markInvisible } from './mark-invisible.js'
import type { QueryOf, ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'
import { STOP_WORDS } from '../../search/embedders/word-vectors/stop-words.js'
import { visibleWorkspaces } from '../visible-workspaces.js'
import type { PageDeps } from '../page-deps.js'

type ListOperation = PageOperations['GET /explorations']
type Item = ResponseOf<ListOperation>['explorations'][number]

/**
 * @throws {Refusal} `not_found` for a workspace that the person does not see, `invalid` for a cursor of another list
 */
export const listExplorations = async (
  { store, api: { catalog } }: Pick<PageDeps, 'store' | 'api'>, person: WebPerson,
  { q, workspace, status, tag, sort, cursor, limit = 30 }: QueryOf<ListOperation>, signal: AbortSignal
): Promise<ResponseOf<ListOperation>> => {
  const visible = visibleWorkspaces(person, workspace)
  const query = q?.trim()
  if (query === undefined || query === '') {
    const { items, ...rest } = await catalog.list({ visible, status, tag, sort, cursor, limit, signal })
    return { explorations: await withPlans(catalog, items, (entry) => entry), ...rest }
  }
  const { items, ...rest } = await store.search.find({
    query, visible, status: status && [status], tag, cursor, limit, signal
  })
  return { explorations: await withPlans(catalog, items, (hit) => toHit(hit, query)), ...rest }
}

const toHit = ({ score, snippet, ...hit }: SearchHit, query: string) => {
  const visibleText = markInvisible(snippet)
  return { ...hit, score, snippet: visibleText, matches: snippetMatches(visibleText, query) }
}

const withPlans = async <Entry extends CatalogEntry>(
  catalog: ExplorationCatalog, entries: readonly Entry[],
  toItem: (entry: Entry) => Omit<Item, 'plan'> & { workspace_id: string }
): Promise<Item[]> => {
  const counts = await catalog.itemCounts(entries.filter(({ has_plan: hasPlan }) => hasPlan).map(({ id }) => id))
  return entries.map((entry) => {
    const { workspace_id: _, ...item } = toItem(entry)
    return { ...item, title: markInvisible(item.title), plan: counts.get(entry.id) ?? null }
  })
}

interface Match { start: number, end: number }

const WORD = /[\p{L}\p{N}]+/gu
const SUFFIX = /(?:ies|ied|ing|ed|es|s|y|e)$/
const MIN_STEM_CHARS = 3
/** Many other words begin like a stem that is shorter (`part`, `partner`): only an inflection may follow it. */
const MIN_PREFIX_CHARS = 5
const INFLECTION = /^(?:s|es|ed|d|ing|ings|y|ies|ied|e|er|ers|or|ors|ment|ments|able)?$/
const MAX_MATCHES = 50

/** How words of the same meaning begin, roughly: `cancelled` and `cancels` share `cancel`. */
const stemOf = (word: string): string => {
  const stem = word.replace(SUFFIX, '')
  return stem.length >= MIN_STEM_CHARS ? stem : word
}

/** Whether a word is a form of a stem; a consonant may be doubled before its ending, as in `planning`. */
const isFormOf = (word: string, stem: string): boolean => {
  if (!word.startsWith(stem)) return false
  if (stem.length < MIN_STEM_CHARS) return word === stem
  if (stem.length >= MIN_PREFIX_CHARS || !/^[a-z]+$/.test(word)) return true
  const rest = word.slice(stem.length)
  return INFLECTION.test(rest) || (rest.startsWith(stem.slice(-1)) && INFLECTION.test(rest.slice(1)))
}

const snippetMatches = (snippet: string, query: string): Match[] => {
  const stems = [...query.toLowerCase().matchAll(WORD)].map(([word]) => word).filter((word) =>
    !STOP_WORDS.has(word)).map(stemOf)
  if (stems.length === 0) return []
  const matches: Match[] = []
  for (const { 0: word, index } of snippet.matchAll(WORD)) {
    if (matches.length >= MAX_MATCHES) break
    const lower = word.toLowerCase()
    if (stems.some((stem) => isFormOf(lower, stem))) {
      matches.push({ start: index, end: index + word.length })
    }
  }
  return matches
}
