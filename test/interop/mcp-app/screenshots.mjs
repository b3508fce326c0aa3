// Writes pictures of the plan in a chat into docs/images, from both hosts of test/interop, in both themes:
// npm --prefix test/interop ci --ignore-scripts && node test/interop/mcp-app/screenshots.mjs [bridge|inspector]
import { writeFileSync } from 'node:fs'
import { launchChromium } from '../../helpers/chromium.mjs'
import { startProduct } from '../product.mjs'
import { startInspector } from './inspector.mjs'
import { planOf, planRecords } from './plans.mjs'
import { serveBridgeHost } from './serve-bridge-host.mjs'

const FOLDER = new URL('../../../docs/images/', import.meta.url)
const SIZES = [5, 37, 600]
const WIDTHS = { 5: 320, 37: 720, 600: 1100 }
const HEIGHTS = { 5: 820, 37: 864, 600: 864 }
const INSPECTOR_HEIGHTS = { 5: 700, 37: 880, 600: 1000 }
const DARK = {
  '--color-background-primary': '#30302e',
  '--color-background-secondary': '#262624',
  '--color-text-primary': '#faf9f5',
  '--color-text-secondary': '#c2c0b6'
}

const TIMEOUT_MS = 60_000
const wanted = process.argv[2]
const closers = []
/** Has something stopped at the end, whatever happens. */
const closing = (close) => closers.unshift(close)

/**
 * Writes a picture of the page when its plan is drawn and nothing moves any more. Not when the network is idle: pages
 * of hosts keep streams open, so it never is.
 */
const take = async (name, page, view) => {
  page.setDefaultTimeout(TIMEOUT_MS)
  const svg = view.locator('[data-rendered=plan] .plan-svg')
  await svg.waitFor()
  const place = async () => JSON.stringify([await view.locator('.plan').boundingBox(), await svg.boundingBox()])
  for (let before, now = await place(), same = 0, tries = 0; same < 5; before = now, now = await place()) {
    if (++tries > 200) throw new Error(`${name}: the picture does not come to rest.`)
    same = now === before ? same + 1 : 0
    await page.waitForTimeout(100)
  }
  writeFileSync(new URL(`plan-in-chat-${name}.png`, FOLDER), await page.screenshot())
  console.log(name)
  await page.close()
}

const takeBridge = async (browser, product) => {
  const host = await serveBridgeHost()
  closing(host.stop)
  for (const items of SIZES) {
    for (const theme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width: WIDTHS[items] + (items === 5 ? 24 : 48), height: HEIGHTS[items] }, colorScheme: theme, reducedMotion: 'reduce' })
      await page.goto(host.address({ url: product.url, key: product.key, era: 'modern', explorationId: planOf(items), theme, variables: theme === 'dark' ? DARK : {} }))
      await take(`bridge-${items}-${theme}`, page, page.frameLocator('iframe').frameLocator('iframe'))
    }
  }
}

const takeInspector = async (browser, product) => {
  const inspector = await startInspector({ url: product.url, key: product.key, era: 'modern' })
  closing(inspector.stop)
  for (const items of SIZES) {
    for (const theme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width: 1440, height: INSPECTOR_HEIGHTS[items] }, colorScheme: theme, reducedMotion: 'reduce' })
      // Where it remembers the theme that a person chose.
      await page.addInitScript(`try { localStorage.setItem('mantine-color-scheme-value', '${theme}') } catch {}`)
      await page.goto(inspector.address(planOf(items)))
      await page.getByRole('button', { name: 'Close monitoring sidebar' }).click({ timeout: TIMEOUT_MS })
      await page.mouse.move(0, 0)
      await take(`inspector-${items}-${theme}`, page, page.frameLocator('iframe').first().frameLocator('iframe'))
    }
  }
}

let failure
try {
  const product = await startProduct()
  closing(product.stop)
  await product.importRecords(...SIZES.flatMap(planRecords))
  const browser = await launchChromium('--hide-scrollbars', '--font-render-hinting=none')
  closing(() => browser.close())
  if (wanted !== 'inspector') await takeBridge(browser, product)
  if (wanted !== 'bridge') await takeInspector(browser, product)
} catch (error) {
  failure = error
}
for (const close of closers) await close().catch((error) => { failure ??= error })
if (failure !== undefined) console.error(failure)
process.exit(failure === undefined ? 0 : 1)
