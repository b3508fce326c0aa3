// What each client does for the matrix: connect, list, call, read, end. An error is printed in words and ends it with 1.
export const work = async (client) => {
  try {
    await client.connect()
    const tools = await all(client.listTools, 'tools')
    console.log(tools.map(({ name }) => name).join(' '))
    for (const [name, args] of [['list_workspaces', {}], ['find_explorations', { query: 'refund' }], ['ping', {}]]) {
      const result = await client.callTool(name, args)
      console.log(JSON.stringify(result.structuredContent ?? result.content).slice(0, 2000))
    }
    const resources = await all(client.listResources, 'resources')
    console.log(resources.map(({ uri }) => uri).join(' '))
    if (resources.length > 0) console.log(JSON.stringify(await client.readResource('service://test/workspaces')).slice(0, 2000))
    await client.end()
  } catch (error) {
    console.error(`Error: ${error?.message ?? error}`.slice(0, 1000))
    process.exit(1)
  }
}

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
