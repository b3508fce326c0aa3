/** Every answer that the tools that read and the resources give to a credential, page by page. */
import type { FastifyInstance } from 'fastify'
import { modern } from './build.js'

/* eslint-disable @typescript-eslint/no-explicit-any */
type Json = Record<string, any>

/** Limits under which all of it may be asked. */
export const NO_LIMITS = { rateLimitReadPerMinute: '1000000', rateLimitReadPerDay: '1000000' }

const SEARCHES = 5

/** What was asked, as JSON with its answer. Each exploration that a workspace lists is asked about, some titles are searched for. */
export const allAnswers = async (app: FastifyInstance, key: string): Promise<Map<string, unknown>> => {
  const answers = new Map<string, unknown>()
  const ask = async (method: string, params: Json): Promise<Json> => {
    const { body, text } = await modern<Json>(app, key, method, params)
    const { result } = body
    if (result === undefined) throw new Error(`${method} ${JSON.stringify(params)}: ${text.slice(0, 500)}`)
    // What `ping` answers is the time.
    answers.set(JSON.stringify([method, params]), params['name'] === 'ping' ? Object.keys(result['structuredContent']) : result)
    return result
  }
  /** Follows the cursor or offset of a tool's result. */
  const call = async (name: string, args: Json = {}): Promise<void> => {
    const { structuredContent: { next_cursor: cursor, next_offset: offset } = {} } = await ask('tools/call', { name, arguments: args })
    const next = { ...typeof cursor === 'string' && { cursor }, ...typeof offset === 'number' && { offset } }
    if (Object.keys(next).length > 0) await call(name, { ...args, ...next })
  }
  const listed = async (uri: string): Promise<Json> => {
    const { contents } = await ask('resources/read', { uri })
    return JSON.parse(contents[0].text) as Json
  }

  const { tools } = await ask('tools/list', {})
  const reading = (tools as Json[]).filter(({ annotations }) => annotations?.readOnlyHint === true)
  const needs = (tool: Json, ...names: string[]): boolean => {
    const required: string[] = tool['inputSchema'].required ?? []
    return required.length === names.length && names.every((name) => required.includes(name))
  }
  const uris: string[] = []
  for (let cursor: string | undefined; ;) {
    const { resources, nextCursor } = await ask('resources/list', cursor === undefined ? {} : { cursor })
    uris.push(...(resources as Json[]).map(({ uri }) => uri))
    if ((cursor = nextCursor) === undefined) break
  }
  for (const uri of uris) await ask('resources/read', { uri })
  for (const tool of reading.filter((tool) => needs(tool))) await call(tool['name'])
  const { workspaces } = await listed('service://workspaces')
  const explorations: Json[] = []
  for (const { id } of workspaces) explorations.push(...(await listed(`service://workspace/${id}/explorations`))['explorations'])
  for (const [index, { id, title, artifact_types: types }] of explorations.entries()) {
    await ask('resources/read', { uri: `service://exploration/${id}` })
    for (const tool of reading) {
      if (needs(tool, 'query') && index < SEARCHES) await call(tool['name'], { query: title })
      if (needs(tool, 'exploration_id')) await call(tool['name'], { exploration_id: id })
      if (!needs(tool, 'exploration_id', 'artifact_type')) continue
      for (const type of types) await call(tool['name'], { exploration_id: id, artifact_type: type })
    }
    for (const type of types) await ask('resources/read', { uri: `service://exploration/${id}/artifact/${type}` })
  }
  const called = new Set([...answers.keys()].flatMap((request) => (JSON.parse(request) as [string, Json])[1]['name'] ?? []))
  const missed = reading.filter(({ name }) => !called.has(name))
  if (missed.length > 0) throw new Error(`not asked: ${missed.map(({ name }) => name).join(', ')}`)
  return answers
}
