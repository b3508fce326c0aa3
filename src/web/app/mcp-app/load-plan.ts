/** Loads a plan page by page, by tools that the host calls for the view. */
import type { JsonObject } from '../../../lib/json/json-object.js'
import { HostError, type Bridge } from './bridge.js'
import { fit, objectOf, textOf } from './json-values.js'
import { readPlanPage, type PlanPage } from './plan-pages.js'

// The largest page that the tool has.
const ITEMS_PER_PAGE = 200
// A plan has at most 10,000 items, and a page may hold fewer than asked for.
const MAX_PAGES = 1000

/** The answer of a tool that says what is wrong. */
export class ToolRefusal extends Error {}

export const resultText = ({ content }: JsonObject): string =>
  fit(content, [{ type: '', text: '' }]).flatMap(({ type, text }) => type === 'text' ? [text] : []).join('\n')

/** Returns the structured content of a tool. @throws {ToolRefusal} {HostError} of the tool, of the host */
const callTool = async ({ request }: Bridge, name: string, args: object): Promise<JsonObject> => {
  const result = await request('tools/call', { name, arguments: args })
  if (result['isError'] === true) throw new ToolRefusal(resultText(result) || `${name} failed.`)
  return objectOf(result['structuredContent'])
}

/** @throws {ToolRefusal} also for a plan that changed since the page before; {HostError} for what is no page */
export async function * loadPages (bridge: Bridge, explorationId: string): AsyncGenerator<PlanPage, void> {
  let cursor = ''
  for (let count = 0; count < MAX_PAGES; count++) {
    const args = { exploration_id: explorationId, limit: ITEMS_PER_PAGE, ...(cursor !== '' && { cursor }) }
    const page = readPlanPage(await callTool(bridge, 'get_planning_full', args))
    if (page === undefined) throw new HostError('Its answer holds no plan.')
    yield page
    // A host that answers every question alike would never end.
    if (page.next_cursor === '' || page.next_cursor === cursor || page.items.length === 0) return
    cursor = page.next_cursor
  }
}

/** Title and address of an exploration: empty texts when they cannot be had, as the picture needs neither. */
export const loadExploration = async (
  bridge: Bridge, explorationId: string
): Promise<{ title: string, url: string }> => {
  try {
    const args = { exploration_id: explorationId, questions: 'none' }
    const { title, url } = await callTool(bridge, 'get_exploration', args)
    return { title: textOf(title), url: textOf(url) }
  } catch {
    return { title: '', url: '' }
  }
}
