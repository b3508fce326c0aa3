// The Inspector's web page signs a person in by OAuth, in both eras: Chromium uses a passkey, allows it, and calls a tool in the Inspector.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noChromium as skip } from '../helpers/chromium.mjs'
import { TOOLS } from './conversation.mjs'
import { startInspector } from './mcp-app/inspector.mjs'
import { openSignedOut, signInAndAllow } from './person.mjs'
import { useShared } from './shared.mjs'

describe('sign-in by the Inspector', () => {
  const used = useShared({ skip, chromium: true })
  let page
  before(async () => {
    if (!skip) page = await openSignedOut(used, 'jonas.lind@example.com', { viewport: { width: 1440, height: 1000 } })
  })

  for (const [era, revision] of [['legacy', '2025-11-25'], ['modern', '2026-07-28']]) {
    test(`MCP Inspector 2.12, its web page, ${era}: sign-in, consent, tools, a call`, { skip }, async () => {
      const url = used.product.url.replace(/\/mcp$/, '/oauth/mcp').replace('127.0.0.1', 'localhost')
      const inspector = await startInspector({ url, era })
      try {
        await page.goto(inspector.connecting)
        // It registers itself, and leads the tab to the sign-in page or, where the person is signed in, to the consent page.
        await page.waitForURL((address) => address.host === new URL(url).host)
        await signInAndAllow(page)
        await page.getByText('Authorization complete').waitFor()
        await page.getByText(`MCP ${revision}`).waitFor()
        await page.getByText('Tools', { exact: true }).first().click()
        await page.getByText(`Tools (${TOOLS.length})`).waitFor()
        for (const name of TOOLS) await page.getByText(name, { exact: true }).first().waitFor()
        await page.getByText('list_workspaces', { exact: true }).first().click()
        await page.getByRole('button', { name: 'Execute Tool' }).click()
        // It is drawn line by line.
        await page.getByTestId('structured-output').filter({ hasText: /harbour/i }).waitFor()
      } finally {
        await inspector.stop()
      }
    })
  }

  test('each is a connection that no one vouches for', { skip }, async () => {
    await page.goto(`${new URL(used.product.signInUrl).origin}/settings/connections`)
    const table = page.getByRole('table', { name: 'Connected applications' })
    await table.getByRole('row').nth(2).waitFor()
    const text = await table.innerText()
    assert.equal(text.match(/Inspector/g)?.length, 2, text)
    assert.equal(text.match(/No one vouches/g)?.length, 2, text)
  })
})
