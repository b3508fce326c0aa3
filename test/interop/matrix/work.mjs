// What each client does for the matrix: connect, list, call, read, end. An error is said in words.
// The official suite plays servers with tools of their own: each of them is called.
import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** What a client is to do, by the variables that `grade` or the official suite sets, and the suite's argument; `say` and `complain` print. */
export const taskOf = ({ MCP_URL: url, MCP_TOKEN: token, MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_CONTEXT: context, MODE: mode }, argument, say, complain) => ({
  url: new URL(url ?? argument),
  headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  isLegacy: mode === 'legacy',
  scenario,
  context: JSON.parse(context ?? '{}'),
  /** In the suite, forms are left empty: a client that says so fills in the defaults. */
  answer: scenario === undefined ? { name: 'Ada' } : {},
  say,
  complain
})

/** Runs a client whose module Node was started with; failures end it with 1. */
export const runAsCommand = async (module, run) => {
  if (pathToFileURL(realpathSync(process.argv[1])).href !== module) return
  const isDone = await run(taskOf(process.env, process.argv.at(-1), console.log, console.error))
  if (!isDone) process.exit(1)
}

const CALLS = [['list_workspaces', {}], ['find_explorations', { query: 'refund' }], ['ping', {}]]

/** Answers whether nothing failed. */
export const work = async (client, { scenario, context, say, complain }) => {
  try {
    await client.connect()
    const tools = await all(client.listTools, 'tools')
    say(tools.map(({ name }) => name).join(' '))
    const calls = scenario === undefined ? CALLS : callsOf(tools, context)
    for (const [name, args] of calls) {
      const result = await client.callTool(name, args)
      say(JSON.stringify(result.structuredContent ?? result.content).slice(0, 2000))
    }
    if (calls === CALLS) {
      const resources = await all(client.listResources, 'resources')
      say(resources.map(({ uri }) => uri).join(' '))
      if (resources.length > 0) say(JSON.stringify(await client.readResource('service://test/workspaces')).slice(0, 2000))
    }
    if (client.listSkills) await useSkills(client, scenario, say)
    await client.end()
    return true
  } catch (error) {
    complain(`Error: ${error?.message ?? error}`.slice(0, 1000))
    await client.close()
    return false
  }
}

/**
 * Loads each skill, and the first file that it refers to. In the suite, where no text refers to a file, each file of the manifest; in the
 * scenario about reading ahead, none.
 */
const useSkills = async ({ listSkills, readSkill }, scenario, say) => {
  for (const skill of await listSkills()) {
    if (scenario === 'sep-2640-client-no-prefetch') continue
    const text = await readSkill(skill)
    const [, path] = /\]\(([\w/-]+\.md)\)/.exec(text) ?? []
    const more = scenario === undefined ? [path].filter(Boolean) : skill.resources.map(({ uri }) => uri)
    say([text, ...await Promise.all(more.map((file) => readSkill(skill, file)))].join('\n').slice(0, 4000))
  }
}

/** The calls that a scenario of the suite wants, or one of each tool. */
const callsOf = (tools, { toolCalls }) =>
  toolCalls?.map(({ name, arguments: args }) => [name, args]) ??
  tools.map(({ name, inputSchema }) => [name, exampleOf(inputSchema, tools[0].inputSchema)])

const EXAMPLES = { string: 'text', number: 1, integer: 1, boolean: true, array: [], object: {} }

/** Arguments that fit the simple properties of a schema. One named `schema` asks for the schema of a tool, as the client has it. */
const exampleOf = ({ properties = {} }, schema) => Object.fromEntries(Object.entries(properties).map(([name, { type, enum: choices }]) =>
  [name, name === 'schema' ? schema : choices?.[0] ?? EXAMPLES[[type].flat()[0]] ?? 'text']))

const MAX_PAGES = 50

/** The items of all pages, of which `list` gives one for `{ cursor }`. */
export const all = async (list, field) => {
  const items = []
  let cursor
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await list(cursor === undefined ? {} : { cursor })
    items.push(...result[field])
    cursor = result.nextCursor
    if (cursor === undefined) return items
  }
  throw new Error(`more than ${MAX_PAGES} pages`)
}
