// What the test files have in common: one product and one Chromium, as each start computes for one to two seconds. A file stops them in its
// `after`; where all.mjs runs the files one after another, they end with the last one.
import { once } from 'node:events'
import { launchChromium } from '../helpers/chromium.mjs'
import { startProduct } from './product.mjs'

let isWhole = false
let product
let browser

/** From here on the files leave both running: `stopShared` ends them. */
export const keepShared = () => { isWhole = true }

/** The product with the sample data; each caller stops what it was given. */
export const sharedProduct = async () => {
  product ??= startProduct()
  return { ...await product, stop: async () => { if (!isWhole) await (await product).stop() } }
}

/** Chromium; `close` closes the windows that were opened. */
export const sharedChromium = async () => {
  browser ??= launchChromium()
  const started = await browser
  return {
    newPage: (options) => started.newPage(options),
    async close () {
      await Promise.all(started.contexts().map((context) => context.close()))
      if (!isWhole) await started.close()
    }
  }
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
