/**
 * `npm run conformance`: the official suite on the fixture, all of it, and as far as it looks at no fixture on the product and on two
 * examples of the documentation. The fixture and the examples run from the packed engine.
 */
import type { Test } from 'tap'
import { askServer } from '../../src/cli/testing/conformance/ask-server.js'
import { bearerProxy } from '../../src/cli/testing/conformance/bearer-proxy.js'
import { listScenarios, runScenarios, SUITE_REVISIONS, type Scenario } from '../../src/cli/testing/conformance/official-suite.js'
import { tableOf, totalsOf } from '../../src/cli/testing/conformance/report.js'
import { lackOf } from '../../src/cli/testing/conformance/run-suite.js'
import { build } from '../helpers/build.js'
import { EXAMPLE_BEARER, installEngine } from '../helpers/engine-package.mjs'
import { newerNode } from '../interop/newer-node.mjs'

const closing: Array<() => unknown> = []
const t = { teardown: (close: () => unknown) => { closing.push(close) } } as Test

const suite = newerNode()
const lists = await Promise.all(SUITE_REVISIONS.map((revision) => listScenarios(suite, revision)))

/**
 * All scenarios, or those that a server can exercise which is asked what it has. The suite then plays the others too, and
 * what comes of them is not looked at: a process for each scenario would compute for half a second to begin with.
 */
const run = async (url: string, asked?: { url: string, token: string }): Promise<Scenario[]> => {
  const offers = asked && await askServer(new URL(asked.url), asked.token)
  const scenarios: Scenario[] = []
  for (const list of lists) {
    const own = list.filter(({ name, revision }) => !offers || lackOf(name, revision, offers) === undefined)
    scenarios.push(...await runScenarios(suite, url, own, true))
  }
  return scenarios
}

/** What a server with this credential can exercise. */
const runBehindProxy = async (url: string, token: string): Promise<Scenario[]> => {
  const proxy = await bearerProxy(new URL(url), token)
  closing.push(() => proxy.close())
  return run(proxy.url, { url, token })
}

const engine = await installEngine({ check: false })
closing.push(() => engine.remove())

const start = async (name: string): Promise<string> => {
  const { url, stop } = await engine.start(name)
  closing.push(stop)
  return url
}
const product = await build(t, { rateLimitReadPerMinute: '100000', rateLimitReadPerDay: '100000' })
const productUrl = `${await product.app.listen({ host: '127.0.0.1', port: 0 })}/mcp`

// At once, as they wait at times. Examples without and with a credential: all five are the same engine, and other people's
// clients speak to each.
const runs = await Promise.all(Object.entries({
  'The fixture': run((await start('fixture/serve')).replace('127.0.0.1', 'localhost')),
  'The product': runBehindProxy(productUrl, product.key),
  'The example dice-server': runBehindProxy(await start('dice-server'), EXAMPLE_BEARER),
  'The example notes-server': runBehindProxy(await start('notes-server'), EXAMPLE_BEARER)
}).map(async ([title, running]) => {
  const scenarios = await running
  console.log(`${title}\n\n${tableOf(scenarios)}\n`)
  return scenarios
}))

for (const close of closing.reverse()) await close()
const wrong = runs.flatMap(totalsOf).reduce((sum, { failed, warnings }) => sum + failed + warnings, 0)
console.log(wrong === 0 ? 'Every check passed.' : `${wrong} checks failed or warned.`)
process.exitCode = wrong === 0 ? 0 : 1
