// The pages below a path of a proxy: no link, request or redirect leaves it, which this proxy keeps (others: ../public-path.test.ts).
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { browser, loaded, noBrowser, openWindow } from '../../helpers/browser.js'
import { pathProxy } from '../../helpers/path-proxy.js'
import { webServer } from '../../helpers/web.js'

t.test('the pages below a path', { skip: noBrowser }, async (t) => {
  const chromium = await browser(t)
  const proxy = await pathProxy(t, '/team/plans', { strip: false })
  const server = await webServer(t, { publicUrl: proxy.url })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  proxy.forwardTo((server.app.server.address() as AddressInfo).port)
  const { page, errors, context } = await openWindow(chromium, proxy)
  await page.goto(`${proxy.url}/usage?range=24h`)
  t.equal(page.url(), `${proxy.url}/sign-in?return=%2Fusage%3Frange%3D24h`)
  const { token } = await server.backend.signInLinks.create(server.wide.id)
  await page.goto(`${proxy.url}/sign-in?return=%2Fusage%3Frange%3D24h#token=${token}`)
  await page.waitForURL(`${proxy.url}/usage?range=24h`)
  await loaded(page)
  t.equal(await page.locator('.navigation-entry[aria-current=page]').innerText(), 'Usage')
  await page.getByRole('link', { name: 'Explorations', exact: true }).click()
  await page.waitForURL(`${proxy.url}/`)
  await page.getByLabel('Search explorations').fill('instalments at checkout')
  await page.waitForURL(/\?q=/)
  // Until it is answered, the list is that of before.
  await page.locator('.result-title').filter({ hasText: 'Pay in instalments' }).click()
  await page.waitForURL(/\/team\/plans\/explorations\/[\w-]+$/)
  await page.getByRole('link', { name: 'Open the plan' }).first().click()
  await page.waitForURL(/\/team\/plans\/explorations\/[\w-]+\/plan$/)
  await loaded(page)
  await page.goBack()
  await page.reload()
  await loaded(page)
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await page.waitForURL(`${proxy.url}/audit`)
  await loaded(page)
  await context.clearCookies()
  await page.getByRole('link', { name: 'Access', exact: true }).click()
  await page.waitForURL(/\/team\/plans\/sign-in\?return=%2Fintegrations%2Fdeveloper$/)
  t.same(proxy.outside, [])
  t.same(errors, [])
})
