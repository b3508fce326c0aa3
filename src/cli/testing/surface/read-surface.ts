/** Asks a server for everything that it shows, in both eras. */
import { createProbe, describe, succeeded, type Probe, type ProbeOutcome } from '../../../agent-setup/doctor/probe.js'
import { legacyRequest, modernRequest, type McpRequest } from '../../../agent-setup/doctor/mcp-client.js'
import { WorkbenchError } from '../../../client-testing/exit-codes.js'
import { itemsByName, type Surface } from '../../../client-testing/surface/surface.js'
import { MODERN_REVISIONS } from '../../../engine/revisions.js'
import { asObject } from '../../../lib/json/json-object.js'

const LISTS = [
  ['tools/list', 'tools', 'name'],
  ['resources/list', 'resources', 'uri'],
  ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
  ['prompts/list', 'prompts', 'name']
] as const
const MAX_PAGES = 1000
const MAX_ITEMS = 5000
const METHOD_NOT_FOUND = -32601
const SERVER_FIELDS = ['capabilities', 'supportedVersions', 'serverInfo', 'instructions']

export const readSurfaces = async (url: URL, token: string | undefined): Promise<Record<string, Surface>> => {
  const probe = createProbe({ url, token })
  try {
    const surfaces: Record<string, Surface> = {}
    for (const era of await openEras(probe)) surfaces[era.revision] = await readSurface(probe, era)
    if (Object.keys(surfaces).length > 0) return surfaces
    throw noSurface(url, 'server/discover and initialize', await probe.discover())
  } finally {
    await probe.end()
  }
}

export interface Era {
  revision: string
  opening: ProbeOutcome
  make (method: string, params: Record<string, unknown>): McpRequest
}

export const openEras = async (probe: Probe): Promise<Era[]> => {
  const session = await probe.session()
  const discovered = await probe.discover()
  const eras: Era[] = []
  if (session) {
    let id = 1
    const make: Era['make'] = (method, params) => {
      const request = legacyRequest(session, method, params)
      return { ...request, body: { ...request.body, id: ++id } }
    }
    eras.push({ revision: session.revision, opening: await probe.initialize(), make })
  }
  if (succeeded(discovered)) eras.push({ revision: MODERN_REVISIONS[0], opening: discovered, make: modernRequest })
  return eras
}

const readSurface = async (probe: Probe, { opening, make }: Era): Promise<Surface> => {
  const { _meta: meta, ...result } = 'status' in opening ? opening.message?.result ?? {} : {}
  const info = asObject(meta)['io.modelcontextprotocol/serverInfo']
  const shown: Record<string, unknown> = { ...(info !== undefined && { serverInfo: info }), ...result }
  const server = Object.fromEntries(Object.entries(shown).filter(([key]) => SERVER_FIELDS.includes(key)))
  const lists: Record<string, Record<string, unknown>> = {}
  const { capabilities } = shown
  for (const list of LISTS) {
    const [method, kind, key] = list
    const isDeclared = asObject(capabilities)[method.split('/')[0] ?? ''] !== undefined
    const items = await readList(probe, list, isDeclared, make)
    if (items) lists[kind] = itemsByName(items, key)
  }
  return { server, ...lists }
}

/** All pages of a list; undefined when the server does not have the method. */
export const readList = async (
  probe: Probe, [method, kind]: readonly [string, string, ...string[]], isDeclared: boolean, make: Era['make']
): Promise<unknown[] | undefined> => {
  const items: unknown[] = []
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await probe.send(make(method, cursor === undefined ? {} : { cursor }))
    const error = 'status' in answer ? answer.message?.error : undefined
    if (error && (error.code === METHOD_NOT_FOUND || !isDeclared)) return undefined
    if (!succeeded(answer)) throw noSurface(probe.url, method, answer)
    const { [kind]: listed, nextCursor } = answer.message?.result ?? {}
    if (!Array.isArray(listed) || (cursor !== undefined && nextCursor === cursor)) break
    items.push(...listed)
    if (nextCursor === undefined || nextCursor === null) return items
    if (items.length > MAX_ITEMS) break
    cursor = nextCursor
  }
  throw new WorkbenchError('no-server', `${method} of ${probe.url.href} does not come to its end, or has no list.`)
}

const noSurface = ({ href }: URL, method: string, answer: ProbeOutcome): WorkbenchError =>
  new WorkbenchError('no-server', `${href} does not answer ${method}: ${describe(answer)}.` +
    ('status' in answer && answer.status === 401 ? ' Give a valid credential with --token-file NAME=FILE.' : ''))
