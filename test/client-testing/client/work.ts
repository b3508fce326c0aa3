/** What the client of these tests does in each run, and how its process would end. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SubjectOutcome } from '../../../src/client-testing/grade/subject.js'
import { validator } from '../../../src/lib/schema/validator.js'
import { answerOf, createClient, type Client, type Json } from './client.js'
import type { Defect, Has } from './defects.js'
import { loadSkills } from './skills.js'

export interface RunOptions { url: string, token: string, era: 'legacy' | 'modern', defects: readonly Defect[], capabilities?: Json, timeoutMs?: number, held?: Promise<unknown>, listens?: boolean, anyTools?: boolean }

const MAX_PAGES = 20

/** Runs the client as a command would run: it always ends, at the latest when the time is over. */
export const runClient = async (options: RunOptions): Promise<SubjectOutcome> => {
  const { url, token, era, defects, capabilities = {}, timeoutMs = 100_000, held = new Promise(() => {}) } = options
  const has: Has = (defect) => defects.includes(defect)
  const stop = new AbortController()
  const stdout: string[] = []
  const ended = (exitCode: number | null, signal: string | null, stderr = ''): SubjectOutcome =>
    ({ end: 'itself', exitCode, signal, stdout: stdout.join('\n'), stderr })
  const timeout: SubjectOutcome = { end: 'timeout', exitCode: null, signal: 'SIGTERM', stdout: '', stderr: '' }
  const work = converse(createClient({ url, token, era, has, capabilities, signal: stop.signal, held }), has, stdout, options).then(
    () => ended(0, null),
    (error: Error) => has('hangs') ? timeout : has('crashes') ? ended(null, 'SIGABRT') : ended(1, null, `Error: ${error.message}`)
  )
  const limit = sleep(timeoutMs, undefined, { signal: stop.signal })
    .then(() => timeout, () => new Promise<never>(() => {}))
  const outcome = await Promise.race([work, limit])
  stop.abort()
  return outcome
}

const compiled = new Map<string, ReturnType<typeof validator>>()
const fits = (schema: object, value: unknown): boolean => {
  const text = JSON.stringify(schema)
  const check = compiled.get(text) ?? validator(schema)
  compiled.set(text, check)
  return check(value).ok
}

const madeUp = ({ properties = {} }: Json): Json => Object.fromEntries(Object.entries(properties as Json)
  .map(([key, { type }]) => [key, { number: 1, integer: 1, boolean: true, array: [], object: {} }[String(type)] ?? 'a']))

/** With `anyTools` every tool of the server is called, else two of the server for tests. */
const converse = async (client: Client, has: Has, stdout: string[], { listens, anyTools }: RunOptions): Promise<void> => {
  if (client.isLegacy()) await client.initialize()
  else await client.request('server/discover')
  if (client.isLegacy() && anyTools) client.hear().catch(() => {})
  else if (client.isLegacy()) await client.listen()
  else if (listens) client.subscribe()
  const tools = await listAll(client, 'tools/list', 'tools', has)
  if (has('polls')) for (let time = 0; time < 30; time++) await client.request('tools/list')
  for (const { name, inputSchema } of tools) {
    if (has('strict') && inputSchema?.type === undefined) throw new Error('a tool without a schema')
    if (typeof name === 'string') stdout.push(name)
  }
  for (const name of anyTools ? tools.map((tool): string => tool['name']) : ['list_workspaces', 'find_explorations']) {
    const result = await callTool(client, name, has, anyTools ? madeUp(tools.find((tool) => tool['name'] === name)?.['inputSchema'] ?? {}) : {})
    show(result, tools.find((tool) => tool['name'] === name), has, stdout)
  }
  if (['sameIds', 'sameTokens', 'callsTogether'].some((habit) => has(habit as Defect))) {
    await Promise.all(Array.from({ length: 6 }, () => callTool(client, 'list_workspaces', has)))
  }
  if (anyTools) return client.end()
  await listAll(client, 'resources/list', 'resources', has)
  checkFields(await client.request('resources/read', { uri: 'service://test/workspaces' }), has)
  if ('extensions' in client.capabilities && 'io.modelcontextprotocol/skills' in client.capabilities['extensions']) await loadSkills(client, has, stdout)
  await client.end()
}

const listAll = async (client: Client, method: string, field: string, has: Has): Promise<Json[]> => {
  const items: Json[] = []
  let cursor: string | undefined
  for (let page = 0; has('noPageLimit') || page < MAX_PAGES; page++) {
    const result = await client.request(method, cursor === undefined ? {} : { cursor })
    checkType(result, has)
    checkFields(result, has)
    if (has('strict') && result['resultType'] !== undefined && !(result['ttlMs'] >= 0)) throw new Error('there is no time to live')
    items.push(...result[field])
    cursor = has('altersCursor') && result['nextCursor'] !== undefined ? `${result['nextCursor']}A` : result['nextCursor']
    if (cursor === undefined || has('firstPageOnly') || (result[field].length === 0 && has('emptyIsEnd'))) return items
  }
  throw new Error('the list has too many pages')
}

const callTool = async (client: Client, name: string, has: Has, given: Json = {}): Promise<Json> => {
  const params = { name, arguments: given, _meta: { progressToken: client.newProgressToken() } }
  let result = await client.request('tools/call', params)
  let firstState: unknown
  for (let round = 0; result['resultType'] === 'input_required' && !has('neverAnswers'); round++) {
    if (!has('lenient') && !('elicitation' in client.capabilities)) throw new Error('the server asks for what was not declared')
    const inputResponses = Object.fromEntries(Object.entries(result['inputRequests'] as Json).map(([key, { params: asked }]) => [key, answerOf(has, asked)]))
    const state: unknown = result['requestState'] ?? (has('inventsState') ? 'state' : undefined)
    firstState ??= state
    const requestState = has('keepsFirstState') ? firstState : state
    result = await client.request('tools/call', { ...params, inputResponses, ...(requestState !== undefined && { requestState }) })
    if (round > 5) throw new Error('too many rounds')
  }
  if (result['resultType'] === 'task') result = await pollTask(client, result, has)
  checkType(result, has)
  return result
}

const pollTask = async (client: Client, task: Json, has: Has): Promise<Json> => {
  for (let polls = 0, expired = 0; ;) {
    if (!has('pollsAtOnce')) await sleep(task['pollIntervalMs'])
    try {
      const polled = await client.request('tasks/get', { taskId: task['taskId'] })
      if (polled['status'] === 'completed') {
        if (has('pollsAgain')) await client.request('tasks/get', { taskId: task['taskId'] })
        return { resultType: 'complete', ...polled['result'] }
      }
    } catch (error) {
      if (!has('pollsForEver') || ++expired > 8) throw error
    }
    if (++polls > 20) throw new Error('the task does not end')
  }
}

const checkType = ({ resultType = 'complete' }: Json, has: Has): void => {
  if (resultType !== 'complete' && !has('lenient') && !has('neverAnswers')) throw new Error(`unknown resultType ${resultType}`)
}

const checkFields = (result: Json, has: Has): void => {
  if (has('strict') && ('xUnknown' in result || 'plain' in (result['_meta'] ?? {}))) throw new Error('unknown field')
}

const show = (result: Json, tool: Json | undefined, has: Has, stdout: string[]): void => {
  checkFields(result, has)
  const { content = [], structuredContent, isError } = result
  const isOneText = content.length === 1 && content[0].type === 'text' && content[0].text.length < 65_536
  if (has('strict') && (isError || !isOneText)) throw new Error('the result is not one text')
  for (const { type, text } of content) if (type === 'text' || has('lenient')) stdout.push(String(text).slice(0, 1000))
  if (structuredContent === undefined) return
  const schema = tool?.['outputSchema']
  if (schema === undefined ? has('strict') : !has('lenient') && !fits(schema, structuredContent)) throw new Error('the structured content fits no schema')
  stdout.push(JSON.stringify(structuredContent))
}
