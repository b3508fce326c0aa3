import fastify from 'fastify'
import { createMcpPlugin, defineTool, insufficientScope, result, type Principal } from 'exploration-mcp-engine'

/** Where clients reach this server, and where they get their tokens. */
const PUBLIC_URL = process.env['PUBLIC_URL'] ?? 'http://localhost:3000'
const ISSUER = process.env['ISSUER'] ?? 'http://localhost:4000'
const METADATA = '/.well-known/oauth-protected-resource/mcp'

const notes = ['Milk', 'Bread']

const readNotes = defineTool({
  name: 'read_notes',
  description: 'Returns all notes.',
  scope: 'read'
}, async () => result({ notes }, notes.join(', ')))

const addNote = defineTool({
  name: 'add_note',
  description: 'Adds a note, and publishes it if asked to.',
  scope: 'read_write',
  input: {
    type: 'object',
    properties: { text: { type: 'string' }, publish: { type: 'boolean', default: false } },
    required: ['text'],
    additionalProperties: false
  }
}, async ({ text, publish }, { principal: { credential } }) => {
  // What depends on the arguments: name all scopes at once, so that the user is asked once.
  const mayPublish = credential.scope.split(' ').includes('notes:publish')
  if (publish && !mayPublish) throw insufficientScope('read_write notes:publish')
  notes.push(text)
  return result({ notes }, publish ? 'Added and published.' : 'Added.')
})

/** Asks the authorization server what a token is worth (RFC 7662). */
const introspect = async (token: string): Promise<Principal | undefined> => {
  const reply = await fetch(`${ISSUER}/introspect`, { method: 'POST', body: new URLSearchParams({ token }) })
  const { active, aud, sub, scope } = await reply.json() as Record<string, unknown>
  // A token for another server is worth nothing here.
  if (active !== true || aud !== `${PUBLIC_URL}/mcp`) return undefined
  return { credential: { id: String(sub), scope: String(scope) } }
}

const app = fastify({ logger: true })
app.get(METADATA, async () => ({
  resource: `${PUBLIC_URL}/mcp`, authorization_servers: [ISSUER], scopes_supported: ['read', 'read_write', 'notes:publish']
}))
await app.register(createMcpPlugin({
  server: { name: 'notes', version: '1.0.0' },
  tools: [readNotes, addNote],
  publicUrl: PUBLIC_URL,
  resourceMetadata: () => `${PUBLIC_URL}${METADATA}`,
  async authenticate ({ headers }) {
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    const principal = token === undefined ? undefined : await introspect(token)
    return principal ? { principal } : { reason: 'invalid', hint: 'Authorize this client again.' }
  }
}))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) })
