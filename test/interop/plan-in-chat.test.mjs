// The plan as a view in two hosts that are not ours: the reference bridge of the extension, and the Inspector's web page; in both eras.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TOOLS } from './conversation.mjs'
import { noChromium as skip } from '../helpers/chromium.mjs'
import { startInspector } from './mcp-app/inspector.mjs'
import { planOf, planRecords } from './mcp-app/plans.mjs'
import { serveBridgeHost } from './mcp-app/serve-bridge-host.mjs'
import { useShared } from './shared.mjs'

const ERAS = ['legacy', 'modern']
const DARK = { '--color-background-primary': '#30302e', '--color-text-primary': '#faf9f5', '--color-text-secondary': '#c2c0b6' }

describe('the plan in a chat', () => {
  const used = useShared({ skip, chromium: true })
  let host
  before(async () => {
    if (skip) return
    await used.product.importRecords(...[5, 37, 600].flatMap(planRecords))
    host = await serveBridgeHost()
  })
  after(() => host?.stop())

  /** A page, and what its frames reported as an error. */
  const open = async (address, options) => {
    const page = await used.browser.newPage({ reducedMotion: 'reduce', ...options })
    page.setDefaultTimeout(300_000)
    const errors = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(address)
    return { page, errors }
  }

  // The era decides how the host is answered, the size and the theme what is drawn: the largest answer comes in both.
  for (const [era, size, width, theme] of [['legacy', 5, 320, 'light'], ['modern', 37, 720, 'dark'], ...ERAS.map((era) => [era, 600, 1100, 'light'])]) {
    test(`AppBridge of ext-apps 2.0.4, ${era}: ${size} items, ${width} px, ${theme}`, { skip }, async () => {
      const address = host.address({
        url: used.product.url, key: used.product.key, era, explorationId: planOf(size), theme, variables: theme === 'dark' ? DARK : {}
      })
      const { page, errors } = await open(address, { viewport: { width: width + 48, height: 1000 }, colorScheme: theme })
      const view = page.frameLocator('iframe').frameLocator('iframe')
      await view.locator('[data-rendered=plan] .plan-svg').waitFor()
      await page.waitForFunction('host.answered')
      assert.match(await view.locator('.plan-sentence').textContent(), new RegExp(`of ${size} items done`))
      const { revision, tools, resource } = await page.evaluate('({ revision: host.revision, tools: host.tools, resource: host.resource })')
      assert.equal(revision, era === 'modern' ? '2026-07-28' : '2025-11-25')
      assert.deepEqual(tools.filter(({ view }) => view), [{ name: 'get_planning_state', view: 'ui://exploration-mcp/plan', appOnly: false }])
      assert.equal(tools.length, TOOLS.length)
      assert.deepEqual(resource.ui, { csp: {}, prefersBorder: false })

      await view.getByRole('listbox').focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowDown')
      if (size === 600) {
        await page.keyboard.press('ArrowUp')
        await page.keyboard.press('Enter')
        await page.keyboard.press('ArrowDown')
      }
      await view.getByRole('button', { name: /^Open source/ }).click()
      await page.waitForFunction('host.links.length === 1')
      assert.deepEqual(await page.evaluate('host.links'), [`https://planning.example.com/returns/${size}/1`])
      await page.keyboard.press('Escape')
      await view.getByRole('listbox').focus()
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      const work = view.getByRole('button', { name: 'Work on this item' })
      if (await work.count() > 0) {
        await work.click()
        await page.waitForFunction('host.messages.length === 1')
        assert.match(await page.evaluate('host.messages[0].content[0].text'), /^Work on the item "returns-\d+"/)
      }
      await view.getByRole('button', { name: 'Full screen' }).click()
      await view.getByRole('button', { name: 'Back to the chat' }).click()
      await view.getByRole('button', { name: 'Full screen' }).waitFor()
      const sizes = await page.evaluate('host.sizes')
      assert.ok(sizes.length < 15 && sizes.every(({ height }) => height <= 720), JSON.stringify(sizes))
      // It goes when it is told to, and says so.
      await page.evaluate('host.bridge.teardownResource({})')
      assert.deepEqual(errors, [])
      await page.close()
    })
  }

  for (const era of ERAS) {
    test(`MCP Inspector 2.12, its web page, ${era}`, { skip }, async () => {
      const inspector = await startInspector({ url: used.product.url, key: used.product.key, era })
      try {
        const { page } = await open(inspector.address(planOf(37)), { viewport: { width: 1440, height: 1000 } })
        const view = page.frameLocator('iframe').first().frameLocator('iframe')
        await view.locator('[data-rendered=plan] .plan-svg').waitFor()
        assert.match(await view.locator('.plan-sentence').textContent(), /of 37 items done/)
        assert.equal(await view.getByRole('heading', { level: 1 }).textContent(), 'Returns without phone calls')
        await page.close()
      } finally {
        await inspector.stop()
      }
    })
  }
})
