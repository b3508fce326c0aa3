// The official TypeScript clients, old and new, in the eras that each can negotiate.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as v2 from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceListChangedNotificationSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { converse } from './conversation.mjs'
import { sharedProduct } from './shared.mjs'

describe('the TypeScript clients', () => {
  let product
  let reader
  const workspace = { type: 'workspace', id: crypto.randomUUID(), slug: `w-${Date.now()}`, name: 'New', created_at: new Date().toISOString() }
  before(async () => {
    product = await sharedProduct()
    const users = await product.command('users', 'list')
    reader = users.sort((one, other) => other.memberships - one.memberships)[0]
    await product.importRecords(workspace)
    // The only administrator became its first admin.
    await product.command('members', 'remove', '--user', reader.id, '--workspace', workspace.id)
  })
  after(async () => { await product?.stop() })

  const request = () => ({ requestInit: { headers: { Authorization: `Bearer ${product.key}` } } })

  const paged = async (list, field) => {
    const all = []
    let cursor
    do {
      const page = await list(cursor === undefined ? {} : { cursor })
      all.push(...page[field])
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return all
  }

  const verbs = (client, callTool) => ({
    callTool,
    listTools: () => paged((params) => client.listTools(params), 'tools'),
    listResources: () => paged((params) => client.listResources(params), 'resources'),
    listResourceTemplates: () => paged((params) => client.listResourceTemplates(params), 'resourceTemplates'),
    readResource: (uri) => client.readResource({ uri }),
    complete: async (uri, name, value) => (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values
  })

  /** Someone is given a membership and loses it again, while the client listens. */
  const changeSomething = async () => {
    await product.command('members', 'add', '--user', reader.id, '--workspace', workspace.id, '--role', 'viewer')
    await product.command('members', 'remove', '--user', reader.id, '--workspace', workspace.id)
  }

  test('@modelcontextprotocol/sdk 1.32, revision 2025-11-25', async () => {
    const client = new ClientV1({ name: 'typescript-1', version: '1' })
    const heard = []
    const updated = new Promise((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri))
      client.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) => { heard.push(method) })
    })
    const transport = new TransportV1(new URL(product.url), request())
    await client.connect(transport)
    await converse(verbs(client, (name, args, options) => client.callTool({ name, arguments: args }, undefined, options)))
    await client.subscribeResource({ uri: 'service://workspaces' })
    await changeSomething()
    assert.equal(await updated, 'service://workspaces')
    await transport.terminateSession()
    await client.close()
  })

  for (const [title, options, revision] of [
    ['as it comes', {}, '2025-11-25'],
    ['negotiating', { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
    ['pinned', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28']
  ]) {
    test(`@modelcontextprotocol/client 2.4 ${title}, revision ${revision}`, async () => {
      const client = new v2.Client({ name: 'typescript-2', version: '1' }, options)
      const updated = new Promise((resolve) => {
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri))
      })
      await client.connect(new v2.StreamableHTTPClientTransport(new URL(product.url), request()))
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      await converse(verbs(client, (name, args, options) => client.callTool({ name, arguments: args }, options)))
      if (revision === '2025-11-25') await client.subscribeResource({ uri: 'service://workspaces' })
      else await client.listen({ resourceSubscriptions: ['service://workspaces'], resourcesListChanged: true })
      await changeSomething()
      assert.equal(await updated, 'service://workspaces')
      await client.close()
    })
  }
})
