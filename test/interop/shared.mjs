// What the test files have in common: one product and one Chromium, as each start computes for one to two seconds. They end with a file, or
// with the last one where all.mjs runs them one after another.
import { once } from 'node:events'
import { after, before } from 'node:test'
import { startProduct } from './product.mjs'

let isWhole = false
let product
let browser

/** From here on the files leave both running: `stopShared` ends them. */
export const keepShared = () => { isWhole = true }

/** The product with the sample data and, where it is asked for, Chromium; the windows of a file are closed at its end. */
export const useShared = ({ skip = false, chromium = false } = {}) => {
  const used = {}
  before(async () => {
    if (skip) return
    used.product = await (product ??= startProduct())
    if (chromium) used.browser = await (browser ??= import('../helpers/chromium.mjs').then(({ launchChromium }) => launchChromium()))
  })
  after(async () => {
    await Promise.all((used.browser?.contexts() ?? []).map((context) => context.close()))
    if (!isWhole) await stopShared()
  })
  return used
}

export const stopShared = async () => {
  const started = await browser
  if (started) {
    const closed = once(started, 'disconnected')
    await started.close()
    await closed
  }
  await (await product)?.stop()
}
