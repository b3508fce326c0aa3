// What each client does for the matrix: connect, list, call, read, end. An error is printed in words and ends it with 1.
// The official suite plays servers with tools of their own: each of them is called.
export const URL_OF_SERVER = new URL(process.env.MCP_URL ?? process.argv.at(-1))
export const HEADERS = process.env.MCP_TOKEN === undefined ? {} : { Authorization: `Bearer ${process.env.MCP_TOKEN}` }

/** In the suite, forms are left empty: a client that says so fills in the defaults. */
export const ANSWER = process.env.MCP_CONFORMANCE_SCENARIO === undefined ? { name: 'Ada' } : {}

const CALLS = [['list_workspaces', {}], ['find_explorations', { query: 'refund' }], ['ping', {}]]

export const work = async (client) => {
  try {
    await client.connect()
    const tools = await all(client.listTools, 'tools')
    console.log(tools.map(({ name }) => name).join(' '))
    const calls = process.env.MCP_CONFORMANCE_SCENARIO === undefined ? CALLS : callsOf(tools)
    for (const [name, args] of calls) {
      const result = await client.callTool(name, args)
      console.log(JSON.stringify(result.structuredContent ?? result.content).slice(0, 2000))
    }
    if (calls === CALLS) {
      const resources = await all(client.listResources, 'resources')
      console.log(resources.map(({ uri }) => uri).join(' '))
      if (resources.length > 0) console.log(JSON.stringify(await client.readResource('service://test/workspaces')).slice(0, 2000))
    }
    if (client.listSkills) await useSkills(client)
    await client.end()
  } catch (error) {
    console.error(`Error: ${error?.message ?? error}`.slice(0, 1000))
    process.exit(1)
  }
}

/**
 * Loads each skill, and the first file that it refers to. In the suite, where no text refers to a file, each file of the manifest; in the
 * scenario about reading ahead, none.
 */
const useSkills = async ({ listSkills, readSkill }) => {
  const scenario = process.env.MCP_CONFORMANCE_SCENARIO
  for (const skill of await listSkills()) {
    if (scenario === 'sep-2640-client-no-prefetch') continue
    const text = await readSkill(skill)
    const [, path] = /\]\(([\w/-]+\.md)\)/.exec(text) ?? []
    const more = scenario === undefined ? [path].filter(Boolean) : skill.resources.map(({ uri }) => uri)
    console.log([text, ...await Promise.all(more.map((file) => readSkill(skill, file)))].join('\n').slice(0, 4000))
  }
}

/** The calls that a scenario of the suite wants, or one of each tool. */
const callsOf = (tools) => {
  const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
  return toolCalls?.map(({ name, arguments: args }) => [name, args]) ??
    tools.map(({ name, inputSchema }) => [name, exampleOf(inputSchema, tools[0].inputSchema)])
}

const EXAMPLES = { string: 'text', number: 1, integer: 1, boolean: true, array: [], object: {} }

/** Arguments that fit the simple properties of a schema. One named `schema` asks for the schema of a tool, as the client has it. */
const exampleOf = ({ properties = {} }, schema) => Object.fromEntries(Object.entries(properties).map(([name, { type, enum: choices }]) =>
  [name, name === 'schema' ? schema : choices?.[0] ?? EXAMPLES[[type].flat()[0]] ?? 'text']))

const MAX_PAGES = 50

const all = async (list, field) => {
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
