/** The output of `serve` when it listens: how to connect after the first start, one line after later starts. */
import { endpointOf } from '../http/server-address.js'
import type { ListeningServer } from '../server/run-server.js'
import { print, stripControlChars } from './print.js'
import type { Output } from './print.js'

/** Prints the URL, how to sign in and, after the first start, the new key with commands to try it. */
export function printStartupBanner (output: Output, { app, config, start, signIn, foundPlans }: ListeningServer): void {
  const endpoint = endpointOf(app, config) ?? ''
  const plans = foundPlans.map((line) => `\n${stripControlChars(line)}`).join('')
  const found = foundPlans.length > 0 && { plans: foundPlans }
  switch (start.kind) {
    case 'known': return print(output, { endpoint, ...found }, `Serving on ${endpoint}${plans}`)
    case 'empty': return print(
      output,
      { endpoint },
      `Serving on ${endpoint}\nThere are no users yet: exploration-mcp users create --email … --name … --server-admin`
    )
    case 'person':
    case 'seeded': {
      const client = { type: 'http', url: endpoint, headers: { Authorization: `Bearer ${start.key}` } }
      const value = { endpoint, key: start.key, client, ...(signIn && { sign_in: signIn }), ...found }
      return print(output, value, `Serving on ${endpoint}${plans}

${start.kind === 'person'
  ? 'This key reads what is imported, also later, and is shown only now:'
  : 'The sample data is loaded. This key reads all of it, and is shown only now:'}

  ${start.key}
${signIn
  ? `
Sign in with a browser. The link works once, until ${signIn.expires_at.slice(11, 16)} UTC:

  ${signIn.url}
`
  : ''}
Try it:

  ${curl(endpoint, start.key)}

Connect the coding agents of this machine:

  npx exploration-mcp init

Or one by hand, with this entry:

  ${JSON.stringify(client)}
`)
    }
  }
}

/** Returns a curl command with one request of revision 2026-07-28, in single quotes for every shell. */
function curl (endpoint: string, key: string): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {}
  }
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/list'
  }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }
  return ['curl -sS', endpoint, ...Object.entries(headers)
    .map(([name, value]) => `-H '${name}: ${value}'`), `-d '${JSON.stringify(body)}'`].join(' ')
}
