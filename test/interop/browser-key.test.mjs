// A newcomer's way: the link of the first start, a passkey and a key in Chromium; then official clients with that key, until it is revoked.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addAuthenticator, noChromium as skip } from '../helpers/chromium.mjs'
import { TOOLS } from './conversation.mjs'
import { MODERN, SDK_1, withBearer } from './official-clients.mjs'
import { useShared } from './shared.mjs'

describe("a newcomer's key", () => {
  const used = useShared({ skip, chromium: true })

  /** Both official clients, connected; `call` answers the structured content of a tool. */
  const connect = (secret) => Promise.all([SDK_1, MODERN].map(async ({ open }) => {
    const { client, transport, callTool } = open(used.product.url, withBearer(secret))
    await client.connect(transport)
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args) => {
        const result = await callTool(name, args)
        assert.ok(!result.isError, result.content?.[0]?.text)
        return result.structuredContent
      },
      close: () => client.close()
    }
  }))

  test('from the first start to an agent with data, in the browser only, and to its end', { skip }, async (t) => {
    const started = performance.now()
    const page = await used.browser.newPage()
    page.setDefaultTimeout(300_000)
    const errors = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await addAuthenticator(page)

    await page.goto(used.product.signInUrl)
    await page.getByRole('heading', { level: 1, name: 'Explorations' }).waitFor()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Passkey added').waitFor()
    await page.getByRole('link', { name: 'Access', exact: true }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('official clients')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const secret = (await page.locator('[data-secret]').innerText()).trim()
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByText(`Connected: ${TOOLS.length} tools answer.`).waitFor()
    await dialog.getByRole('button', { name: 'I have stored it' }).click()

    const clients = await connect(secret)
    for (const { tools, call } of clients) {
      assert.deepEqual(await tools(), TOOLS)
      assert.equal((await call('list_workspaces')).workspaces.length, 3)
      const { explorations } = await call('find_explorations', { query: 'give a customer part of the money back' })
      assert.ok(explorations.length > 0)
      assert.equal((await call('get_exploration', { exploration_id: explorations[0].id })).id, explorations[0].id)
    }
    t.diagnostic(`${Math.round(performance.now() - started)} ms from the link to both clients with data`)

    // The page shows who used the key; then it is revoked.
    await page.reload()
    const row = page.getByRole('row', { name: /official clients/ })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Key revoked.').waitFor()
    for (const { call, close } of clients) {
      await assert.rejects(call('list_workspaces'), /401|unauthori[sz]ed|authenticat|revoked/i)
      await close().catch(() => {})
    }
    await assert.rejects(connect(secret), /401|unauthori[sz]ed|authenticat|revoked/i)
    // Others are not concerned, such as the key of the first start.
    const [other, ...rest] = await connect(used.product.key)
    assert.equal((await other.call('list_workspaces')).workspaces.length, 3)
    await Promise.all([other, ...rest].map(({ close }) => close()))
    assert.deepEqual(errors, [])
  })
})
