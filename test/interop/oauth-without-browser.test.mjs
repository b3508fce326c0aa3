// The official TypeScript clients, old and new, connected by OAuth: with a document, registered by themselves, by the operator; and the two scenarios
// of the official suite for authorization servers. A person signs in and allows them over the web API, as the consent page does. Where there is
// a Chromium, oauth.test.mjs does all of this on the pages.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as v2 from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { noChromium } from '../helpers/chromium.mjs'
import { sharedProduct } from './shared.mjs'
import { runAuthorizationScenarios } from './suite.mjs'

// As published by a coding agent: portless loopback, no application_type. Shipped with the product, so that no network is needed.
const DOCUMENT = 'https://claude.ai/oauth/claude-code-client-metadata'
const REDIRECT = 'http://localhost:52163/callback'

const skip = !noChromium && 'oauth.test.mjs does the same in Chromium'

describe('OAuth without a browser', () => {
  let product
  let origin
  let endpoint
  let cookie
  before(async () => {
    if (skip) return
    product = await sharedProduct()
    // The name under which people and clients reach it without PUBLIC_URL.
    origin = `http://localhost:${new URL(product.url).port}`
    endpoint = `${origin}/oauth/mcp`
    const reply = await webApi('/sign-in/link', { token: new URL((await product.command('sign-in-link', '--user', 'mira.okafor@example.com')).url).hash.slice('#token='.length) })
    cookie = reply.headers.getSetCookie().map((set) => set.split(';')[0]).join('; ')
  })
  after(async () => { await product?.stop() })

  const webApi = (path, body) => fetch(`${origin}/web/v1${path}`, {
    method: 'POST',
    headers: { origin, 'x-exploration-mcp': 'web', 'content-type': 'application/json', ...cookie && { cookie } },
    body: JSON.stringify(body)
  })

  /** What the person's browser does: returns the address of the client with the answer. */
  const allow = async (authorizationUrl) => {
    const reply = await fetch(authorizationUrl, { redirect: 'manual', headers: { cookie } })
    assert.equal(reply.status, 303)
    const page = new URL(reply.headers.get('location'), origin)
    assert.equal(page.pathname, '/oauth/consent')
    assert.equal(page.searchParams.get('error'), null, page.href)
    const answer = await (await webApi('/oauth/consent', { ticket: page.searchParams.get('ticket'), decision: 'allow', workspaces: 'all' })).json()
    return new URL(answer.redirect_to)
  }

  const providerOf = (how) => {
    const kept = { client: how.information }
    return {
      kept,
      redirectUrl: REDIRECT,
      ...how.document && { clientMetadataUrl: DOCUMENT },
      clientMetadata: {
        client_name: 'An official client',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: how.information?.client_secret ? 'client_secret_post' : 'none'
      },
      state: () => 'a state',
      clientInformation: () => kept.client,
      saveClientInformation: (client) => { kept.client = client },
      tokens: () => kept.tokens,
      saveTokens: (tokens) => { kept.tokens = tokens },
      redirectToAuthorization: (url) => { kept.authorizationUrl = url },
      saveCodeVerifier: (verifier) => { kept.verifier = verifier },
      codeVerifier: () => kept.verifier
    }
  }

  const CLIENTS = {
    'sdk 1.32': {
      Unauthorized: UnauthorizedError,
      connect: async (authProvider) => {
        const transport = new TransportV1(new URL(endpoint), { authProvider })
        const client = new ClientV1({ name: 'oauth-1', version: '1' })
        return { transport, client, connected: client.connect(transport) }
      },
      finish: (transport, answer) => transport.finishAuth(answer.searchParams.get('code'))
    },
    'client 2.4': {
      Unauthorized: v2.UnauthorizedError,
      connect: async (authProvider) => {
        const transport = new v2.StreamableHTTPClientTransport(new URL(endpoint), { authProvider })
        const client = new v2.Client({ name: 'oauth-2', version: '1' }, { versionNegotiation: { mode: 'auto' } })
        return { transport, client, connected: client.connect(transport) }
      },
      finish: (transport, answer) => transport.finishAuth(answer.searchParams)
    }
  }

  const WAYS = {
    'a document': async () => ({ document: true }),
    registration: async () => ({}),
    'a client of the operator': async () => {
      const { client_id: id } = await product.command('clients', 'create', '--name', 'Open', '--redirect-uri', REDIRECT)
      return { information: { client_id: id } }
    },
    'a client of the operator with a secret': async () => {
      const { client_id: id, client_secret: secret } = await product.command('clients', 'create', '--name', 'Closed', '--redirect-uri', REDIRECT, '--confidential')
      return { information: { client_id: id, client_secret: secret } }
    }
  }

  for (const [name, { Unauthorized, connect, finish }] of Object.entries(CLIENTS)) {
    for (const [way, how] of Object.entries(WAYS)) {
      test(`${name} with ${way}`, { skip }, async () => {
        const provider = providerOf(await how())
        const first = await connect(provider)
        await assert.rejects(first.connected, (error) => error instanceof Unauthorized || /unauthori[sz]ed/i.test(String(error)))
        assert.ok(provider.kept.authorizationUrl, 'it was led to the authorization endpoint')
        const answer = await allow(provider.kept.authorizationUrl)
        assert.equal(answer.searchParams.get('state'), 'a state')
        await finish(first.transport, answer)
        const { client, connected } = await connect(provider)
        await connected
        assert.ok((await client.listTools()).tools.length > 0)
        const used = provider.kept.tokens
        provider.kept.tokens = { ...used, access_token: `svc_at_${'A'.repeat(52)}` }
        // Not a list, which a client of the modern era has kept.
        assert.ok((await client.callTool({ name: 'list_workspaces', arguments: {} })).structuredContent, 'after a refresh')
        assert.notEqual(provider.kept.tokens.refresh_token, used.refresh_token)
        await client.close()
      })
    }
  }

  test('the scenarios of the official suite for authorization servers', { skip, timeout: 1_200_000 }, async () => {
    // Cookies are of the host, whatever its port: the callback of the suite gets none.
    await runAuthorizationScenarios(product, endpoint, 3999, async (url) => fetch(await allow(url)))
  })
})
