/** The output of `serve` when it listens: how to sign in and, after the first start, how to connect. */
import { endpointOf } from '../../http/server-address.js'
import { commandLine } from '../../lib/text/command-line.js'
import type { ListeningServer } from '../../server/run-server.js'
import type { SignInAtStart } from '../../server/first-start.js'
import { print, stripControlChars, type Output } from '../print/print.js'

export function printStartupBanner (output: Output, { app, config, start, signIn, foundPlans }: ListeningServer): void {
  const endpoint = endpointOf(app, config) ?? ''
  const plans = foundPlans.map((line) => `\n${stripControlChars(line)}`).join('')
  const value = {
    endpoint,
    ...(signIn && { pages: signIn.pages, sign_in_command: signIn.command }),
    ...(foundPlans.length > 0 && { plans: foundPlans })
  }
  switch (start.kind) {
    case 'known':
      return print(output, value, `Serving on ${endpoint}${plans}${signIn ? `\n${howToSignIn(signIn)}` : ''}`)
    case 'empty': return print(output, value, `Serving on ${endpoint}
There are no users yet. Make the first, an administrator:

  ${commandLine('users create --server-admin --name NAME --email EMAIL')}
${signIn ? `\n${howToSignIn(signIn)}` : ''}`)
    case 'person':
    case 'seeded': {
      const client = { type: 'http', url: endpoint, headers: { Authorization: `Bearer ${start.key}` } }
      const first = { ...value, key: start.key, client, ...(signIn?.link && { sign_in: signIn.link }) }
      return print(output, first, `Serving on ${endpoint}${plans}

${start.kind === 'person'
  ? `This key ${start.writes ? 'reads and reports on' : 'reads'} what is imported, also later, and is shown only now:`
  : 'The sample data is loaded. This key reads all of it, and is shown only now:'}

  ${start.key}
${signIn?.link ? `\n${firstLink(signIn.link)}\n${howToSignIn(signIn)}` : ''}
Try it:

  ${curl(endpoint, start.key)}

Connect the coding agents of this machine:

  ${commandLine('init')}

Or one by hand, with this entry:

  ${JSON.stringify(client)}
`)
    }
  }
}

const firstLink = ({ url, email, expires_at: expiresAt }: NonNullable<SignInAtStart['link']>): string =>
  `Sign in with a browser, as ${stripControlChars(email)}. The link works once, until ${expiresAt.slice(11, 16)} UTC:

  ${url}
`

const howToSignIn = ({ pages, command }: SignInAtStart): string =>
  `The pages are at ${pages}. This prints a link to sign in with:

  ${command}
`

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
