/**
 * `npm run conformance`: the official suite on the fixture, all of it, and as far as it looks at no fixture on the product and on two
 * examples of the documentation. The fixture and the examples run from the packed engine.
 */
import type { Test } from 'tap'
import { askServer } from '../../src/cli/testing/conformance/ask-server.js'
import { bearerProxy } from '../../src/cli/testing/conformance/bearer-proxy.js'
import { fetchSuite, listScenarios, runScenarios, SUITE_REVISIONS, type Scenario } from '../../src/cli/testing/conformance/official-suite.js'
import { tableOf, totalsOf } from '../../src/cli/testing/conformance/report.js'
import { runSuite } from '../../src/cli/testing/conformance/run-suite.js'
import { build } from '../helpers/build.js'
import { EXAMPLE_BEARER, installEngine } from '../helpers/engine-package.mjs'

const closing: Array<() => unknown> = []
const t = { teardown: (close: () => unknown) => { closing.push(close) } } as Test

const suite = await fetchSuite(process.env)

/** All scenarios, or those that a server can exercise which is asked what it has. */
const run = async (url: string, asked?: { url: string, token: string }): Promise<Scenario[]> => {
  if (asked) return runSuite(suite, url, await askServer(new URL(asked.url), asked.token))
  const scenarios: Scenario[] = []
  for (const revision of SUITE_REVISIONS) scenarios.push(...await runScenarios(suite, url, await listScenarios(suite, revision), true))
  return scenarios
}

const engine = await installEngine({ check: false })
closing.push(() => engine.remove())
const ours = await engine.start('fixture/serve')
closing.push(() => ours.stop())
const onFixture = await run(ours.url.replace('127.0.0.1', 'localhost'))
console.log(`The fixture\n\n${tableOf(onFixture)}\n`)

const product = await build(t, { rateLimitReadPerMinute: '100000', rateLimitReadPerDay: '100000' })
const productUrl = `${await product.app.listen({ host: '127.0.0.1', port: 0 })}/mcp`
const proxy = await bearerProxy(new URL(productUrl), product.key)
closing.push(() => proxy.close())
const onProduct = await run(proxy.url, { url: productUrl, token: product.key })
console.log(`The product\n\n${tableOf(onProduct)}\n`)

const onExamples: Scenario[] = []
// Without and with a credential: all five are the same engine, and other people's clients speak to each.
for (const name of ['dice-server', 'notes-server']) {
  const { url, stop } = await engine.start(name)
  const authorized = await bearerProxy(new URL(url), EXAMPLE_BEARER)
  const scenarios = await run(authorized.url, { url, token: EXAMPLE_BEARER })
  onExamples.push(...scenarios)
  console.log(`The example ${name}\n\n${tableOf(scenarios)}\n`)
  await authorized.close()
  await stop()
}

for (const close of closing.reverse()) await close()
const wrong = [onFixture, onProduct, onExamples].flatMap(totalsOf).reduce((sum, { failed, warnings }) => sum + failed + warnings, 0)
console.log(wrong === 0 ? 'Every check passed.' : `${wrong} checks failed or warned.`)
process.exitCode = wrong === 0 ? 0 : 1
