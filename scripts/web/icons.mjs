// Draws the icon in the sizes that directories ask for: node scripts/web/icons.mjs
import { copyFile, readFile } from 'node:fs/promises'
import { launchChromium } from '../../test/helpers/chromium.mjs'

const SIZES = [64, 128, 512, 1024]
const source = new URL('../../src/web/app/icon.svg', import.meta.url)
const folder = new URL('../plugin/assets/', import.meta.url)

await copyFile(source, new URL('icon.svg', folder))
const svg = (await readFile(source)).toString('base64')
const browser = await launchChromium()
for (const size of SIZES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<body style="margin: 0"><img src="data:image/svg+xml;base64,${svg}" width="${size}" height="${size}" style="display: block">`)
  // Its corners are round, and clear beside them.
  await page.screenshot({ path: new URL(`icon-${size}.png`, folder).pathname, omitBackground: true })
  await page.close()
}
await browser.close()
