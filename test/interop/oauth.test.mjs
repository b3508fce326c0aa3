// Official clients that sign a person in: each client with each way of introducing itself. Chromium signs in with a passkey, and clicks.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { noChromium as skip } from '../helpers/chromium.mjs'
import { TOOLS } from './conversation.mjs'
import { MODERN, Provider, SDK_1 } from './official-clients.mjs'
import { openSignedOut, signInAndAllow } from './person.mjs'
import { useShared } from './shared.mjs'
import { runAuthorizationScenarios } from './suite.mjs'

describe('OAuth on the pages', () => {
  const used = useShared({ skip, chromium: true })
  let page
  let callback
  before(async () => {
    if (skip) return
    callback = await waitForAnswers()
    page = await openSignedOut(used, 'mira.okafor@example.com')
  })
  after(() => { callback?.close() })

  /** Where the clients take the answer, on a port that no one has registered. */
  const waitForAnswers = async () => {
    let answered = () => {}
    const server = createServer((incoming, reply) => {
      reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Signed in</h1>')
      const url = new URL(incoming.url, 'http://127.0.0.1')
      if (url.pathname === '/callback') answered(url.searchParams)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      url: `http://127.0.0.1:${server.address().port}/callback`,
      next: () => new Promise((resolve) => { answered = resolve }),
      close: () => server.closeAllConnections() ?? server.close()
    }
  }

  /** What the person does; answers what came to the client. */
  const allow = async (url) => {
    const answer = callback.next()
    await page.goto(url.href)
    await signInAndAllow(page)
    // Until the page is there, it would interrupt where it is sent next.
    await page.waitForURL(({ href }) => href.startsWith(callback.url))
    return answer
  }

  const CLIENTS = { '@modelcontextprotocol/sdk 1.32': SDK_1, '@modelcontextprotocol/client 2.4': MODERN }

  const WAYS = {
    'its published document': async () => ({ clientMetadataUrl: 'https://claude.ai/oauth/claude-code-client-metadata' }),
    'its own registration': async () => ({}),
    'an id of the administrator': async () => {
      const { client_id: id } = await used.product.command('clients', 'create', '--name', 'Interop', '--redirect-uri', callback.url)
      return { clientInformation: { client_id: id } }
    },
    'an id and a secret of the administrator': async () => {
      const created = await used.product.command('clients', 'create', '--name', 'Interop', '--redirect-uri', callback.url, '--confidential')
      return { clientInformation: { client_id: created.client_id, client_secret: created.client_secret } }
    }
  }

  for (const [clientName, { open, finish }] of Object.entries(CLIENTS)) {
    for (const [way, more] of Object.entries(WAYS)) {
      test(`${clientName}, with ${way}`, { skip }, async () => {
        const url = new URL(used.product.url.replace(/\/mcp$/, '/oauth/mcp').replace('127.0.0.1', 'localhost'))
        const provider = new Provider(callback.url, await more())
        const first = open(url, { authProvider: provider })
        await assert.rejects(first.client.connect(first.transport), /[Uu]nauthorized|authoriz/)
        assert.ok(provider.asked, 'the client asks its user')
        if (way === 'its published document') {
          assert.equal(provider.asked.searchParams.get('client_id'), 'https://claude.ai/oauth/claude-code-client-metadata')
        }
        const answer = await allow(provider.asked)
        assert.equal(answer.get('iss'), url.href)
        assert.equal(answer.get('state'), 'a state')
        await finish(first.transport, answer)
        const { client, transport, callTool } = open(url, { authProvider: provider })
        await client.connect(transport)
        assert.equal((await client.listTools()).tools.length, TOOLS.length)
        const found = await callTool('find_explorations', { query: 'partial refunds' })
        assert.ok(found.structuredContent.explorations.length > 0)
        // A token that has ended is replaced without the person.
        const before = provider.saved
        provider.saved = { ...before, access_token: `svc_at_${'A'.repeat(43)}` }
        provider.asked = undefined
        // Not the list again: client 2.4 has it still.
        const again = await callTool('list_workspaces')
        assert.ok(again.structuredContent.workspaces.length > 0)
        assert.notEqual(provider.saved.refresh_token, before.refresh_token)
        assert.equal(provider.asked, undefined, 'no one was asked')
        await client.close()
      })
    }
  }

  test('all of them are listed, by anyone who vouches for them, and end when they are disconnected', { skip }, async () => {
    await page.goto(`${new URL(used.product.signInUrl).origin}/settings/connections`)
    const rows = page.getByRole('table', { name: 'Connected applications' }).getByRole('row')
    await rows.nth(8).waitFor()
    const text = await page.getByRole('table', { name: 'Connected applications' }).innerText()
    assert.equal(text.match(/claude\.ai/g)?.length, 2)
    assert.equal(text.match(/No one vouches/g)?.length, 2)
    assert.equal(text.match(/registered by an administrator/g)?.length, 4)
  })

  test('the scenarios of the official suite for authorization servers, through the pages', { skip, timeout: 1_200_000 }, async () => {
    const issuer = used.product.url.replace(/\/mcp$/, '/oauth/mcp').replace('127.0.0.1', 'localhost')
    const consented = []
    await runAuthorizationScenarios(used.product, issuer, 3998, async (url) => {
      await page.goto(url)
      await signInAndAllow(page)
      await page.waitForURL(/^http:\/\/127\.0\.0\.1:3998\/callback/)
      consented.push(new URL(page.url()).searchParams)
    })
    assert.equal(consented[0]?.get('iss'), issuer)
  })
})
