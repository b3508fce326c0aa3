/** Lists explorations for a page: the newest, or those that a search finds. */
import type { CatalogEntry, ExplorationCatalog } from '../../db/planning/sql-exploration-catalog.js'
import type { SearchHit } from '../../planning/store.js'
import type { WebPerson } from '../permission.js'
import { markInvisible } from './mark-invisible.js'
import type { QueryOf, ResponseOf } from '../operation.js'
import type { PageOperations } from '../operations.js'
import { snippetMatches } from './snippet-matches.js'
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
