// The official TypeScript clients, old and new, in the eras that each can negotiate.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { converse } from './conversation.mjs'
import { all } from './matrix/work.mjs'
import { LEGACY, MODERN, PINNED, SDK_1, withBearer } from './official-clients.mjs'
import { useShared } from './shared.mjs'

describe('the TypeScript clients', () => {
  const used = useShared()
  let reader
  const workspace = { type: 'workspace', id: crypto.randomUUID(), slug: `w-${Date.now()}`, name: 'New', created_at: new Date().toISOString() }
  before(async () => {
    const users = await used.product.command('users', 'list')
    reader = users.sort((one, other) => other.memberships - one.memberships)[0]
    await used.product.importRecords(workspace)
    // The only administrator became its first admin.
    await used.product.command('members', 'remove', '--user', reader.id, '--workspace', workspace.id)
  })

  const verbs = (client, callTool) => ({
    callTool,
    listTools: () => all((params) => client.listTools(params), 'tools'),
    listResources: () => all((params) => client.listResources(params), 'resources'),
    listResourceTemplates: () => all((params) => client.listResourceTemplates(params), 'resourceTemplates'),
    readResource: (uri) => client.readResource({ uri }),
    complete: async (uri, name, value) => (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values
  })

  /** The clients that listen: each hears which resource was updated, and ends. */
  const listening = []

  test('@modelcontextprotocol/sdk 1.32, revision 2025-11-25', async () => {
    const { client, transport, callTool } = SDK_1.open(used.product.url, withBearer(used.product.key))
    const updated = new Promise((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri))
    })
    await client.connect(transport)
    await converse(verbs(client, callTool))
    await client.subscribeResource({ uri: 'service://workspaces' })
    listening.push({ updated, end: () => transport.terminateSession().then(() => client.close()) })
  })

  for (const [title, { open }] of Object.entries({ 'as it comes': LEGACY, negotiating: MODERN, pinned: PINNED })) {
    test(`@modelcontextprotocol/client 2.4 ${title}`, async () => {
      const { client, transport, revision, callTool } = open(used.product.url, withBearer(used.product.key))
      const updated = new Promise((resolve) => {
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
      })
      await client.connect(transport)
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      await converse(verbs(client, callTool))
      if (revision === '2025-11-25') await client.subscribeResource({ uri: 'service://workspaces' })
      else await client.listen({ resourceSubscriptions: ['service://workspaces'], resourcesListChanged: true })
      listening.push({ updated, end: () => client.close() })
    })
  }

  test('each hears that someone is given a membership and loses it again', async () => {
    assert.equal(listening.length, 4)
    await used.product.command('members', 'add', '--user', reader.id, '--workspace', workspace.id, '--role', 'viewer')
    await used.product.command('members', 'remove', '--user', reader.id, '--workspace', workspace.id)
    for (const { updated, end } of listening) {
      assert.equal(await updated, 'service://workspaces')
      await end()
    }
  })
})
