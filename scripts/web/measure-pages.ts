/** The largest paint and the shifts of the layout of each page, in Chromium with a slow network and processor. Printed, not asserted. */
import type { Browser } from 'playwright-core'
import { PAGE_PATHS, type PagePath } from '../../src/web/page-paths.js'
import { launchChromium, noBrowser, openWindow, signedInWindow } from '../../test/helpers/browser.js'
import { demoServer, type DemoServer } from './demo-server.js'

const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const SLOWDOWN = 4
const OBSERVE = `
  window.__figures = { lcp: 0, cls: 0 }
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.__figures.lcp = entry.startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__figures.cls += entry.value })
    .observe({ type: 'layout-shift', buffered: true })`

interface Figures { lcp: number, cls: number }

const measure = async (chromium: Browser, server: DemoServer, path: string, signedIn: boolean): Promise<Figures & { bytes: number }> => {
  const visit = signedIn
    ? await signedInWindow(chromium, server, server.person.id, {}, '/licenses.txt')
    : await openWindow(chromium, server)
  const { context, page } = visit
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength })
  await page.addInitScript(OBSERVE)
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  const figures = await page.evaluate('window.__figures') as Figures
  await context.close()
  return { ...figures, bytes }
}

/** Prints one line per page; says why there is none without Chromium. */
export const measurePages = async (): Promise<void> => {
  if (noBrowser !== false) {
    console.log(`\nnot measured: ${noBrowser}`)
    return
  }
  const server = await demoServer()
  const chromium = await launchChromium()
  const rows = await server.db.query<{ exploration_id: string }>('select exploration_id from execution_plans limit 1')
  console.log('\npage          largest paint    layout shift   transferred  (1.6 Mb/s, 150 ms, processor ÷ 4, empty cache)')
  for (const page of PAGE_PATHS) {
    const { name, path, public: isPublic = false }: PagePath = page
    const { lcp, cls, bytes } = await measure(chromium, server, path.replace(':id', rows[0]?.exploration_id ?? ''), !isPublic)
    console.log(`${name.padEnd(13)} ${`${Math.round(lcp)} ms`.padStart(13)}   ${cls.toFixed(3).padStart(13)}   ${`${(bytes / 1000).toFixed(1)} kB`.padStart(11)}`)
  }
  await chromium.close()
  await server.close()
}
