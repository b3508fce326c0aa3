/** A client in a few lines: the handshake and one list, with the address and the token of its environment. */
export const FEW_LINES_CLIENT = `
const headers = { authorization: 'Bearer ' + process.env.MCP_TOKEN, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const send = (body, more) => fetch(process.env.MCP_URL, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify({ jsonrpc: '2.0', ...body }) })
const hello = await send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'few-lines', version: '1' } } })
await hello.text()
const session = { 'mcp-session-id': hello.headers.get('mcp-session-id'), 'mcp-protocol-version': '2025-11-25' }
await (await send({ method: 'notifications/initialized' }, session)).text()
const list = await send({ id: 2, method: 'tools/list' }, session)
if (!list.ok) { console.error('Error: HTTP ' + list.status + ' for ' + process.env.MCP_TOKEN); process.exit(1) }
await list.text()
`
