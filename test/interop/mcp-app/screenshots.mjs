// Writes pictures of the plan in a chat into docs/images, from both hosts of test/interop, in both themes:
// npm --prefix test/interop ci --ignore-scripts && node scripts/typescript.mjs test/interop/mcp-app/screenshots.mjs [bridge|inspector]
import { writeFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { optimisePng } from '../../../scripts/web/optimise-png.ts'
import { launchChromium } from '../chromium.mjs'
import { startProduct } from '../product.mjs'
import { startInspector } from './inspector.mjs'
import { planRecords } from './plans.mjs'
import { serveBridgeHost } from './serve-bridge-host.mjs'

const FOLDER = new URL('../../../docs/images/', import.meta.url)
const WIDTHS = { 5: 320, 37: 720, 600: 1100 }
const DARK = {
  '--color-background-primary': '#30302e',
  '--color-background-secondary': '#262624',
  '--color-text-primary': '#faf9f5',
  '--color-text-secondary': '#c2c0b6'
}

const wanted = process.argv[2]
const product = await startProduct()
const client = new Client({ name: 'workspaces', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL(product.url), { requestInit: { headers: { Authorization: `Bearer ${product.key}` } } }))
const { structuredContent: { workspaces: [workspace] } } = await client.callTool({ name: 'list_workspaces', arguments: {} })
await client.close()
const plans = Object.keys(WIDTHS).map(Number).map((items) => ({ items, records: planRecords(workspace.id, items) }))
await product.importRecords(...plans.flatMap(({ records }) => records))
const browser = await launchChromium('--hide-scrollbars', '--font-render-hinting=none')

const take = async (name, page, view) => {
  await view.locator('[data-rendered=plan] .plan-svg').waitFor({ timeout: 120_000 })
  // Two frames: the size that the view reports, and the picture in the frame of that size.
  await page.waitForLoadState('networkidle')
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  await page.waitForTimeout(400)
  writeFileSync(new URL(`plan-in-chat-${name}.png`, FOLDER), optimisePng(await page.screenshot()))
  console.log(name)
}

if (wanted !== 'inspector') {
  const host = await serveBridgeHost()
  for (const { items, records: [{ id }] } of plans) {
    for (const theme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width: WIDTHS[items] + (items === 5 ? 24 : 48), height: 900 }, colorScheme: theme, reducedMotion: 'reduce' })
      await page.goto(host.address({ url: product.url, key: product.key, era: 'modern', explorationId: id, theme, variables: theme === 'dark' ? DARK : {} }))
      await take(`bridge-${items}-${theme}`, page, page.frameLocator('iframe').frameLocator('iframe'))
      await page.close()
    }
  }
  await host.stop()
}
if (wanted !== 'bridge') {
  const inspector = await startInspector({ url: product.url, key: product.key, era: 'modern' })
  for (const { items, records: [{ id }] } of plans) {
    for (const theme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, colorScheme: theme, reducedMotion: 'reduce' })
      // Where it remembers the theme that a person chose.
      await page.addInitScript(`try { localStorage.setItem('mantine-color-scheme-value', '${theme}') } catch {}`)
      await page.goto(inspector.address(id))
      await take(`inspector-${items}-${theme}`, page, page.frameLocator('iframe').first().frameLocator('iframe'))
      await page.close()
    }
  }
  await inspector.stop()
}
await browser.close()
await product.stop()
process.exit()
