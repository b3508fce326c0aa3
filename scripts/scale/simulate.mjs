/**
 * Cells side by side, each of them a deployment: unequal tenants, a cell that is lost, a tenant that moves, and credentials that are revoked
 * all the while. `node scripts/scale/simulate.mjs [--seed=N]`: the same seed gives the same figures.
 */
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownTable } from '../markdown.mjs'
import { runCell } from './cell.mjs'
import { capacityOf, CELL, LOAD, RENEWAL_MS, REVOCATIONS_PER_CELL, ROUTER_CACHE_MS, SECONDS, TENANTS } from './model.mjs'
import { boundedPareto, exponential, seeded } from './random.mjs'

/** @typedef {'steady' | 'a cell is lost' | 'a tenant moves' | 'verified once in 2 s'} Scenario */

const END_MS = SECONDS * 1000
/** When the cell is lost, and when the tenant moves. */
const EVENT_MS = END_MS / 4
/** @type {readonly Scenario[]} */
const SCENARIOS = ['steady', 'a cell is lost', 'a tenant moves', 'verified once in 2 s']

/**
 * Tenants, and the calls per second of each cell. New tenants go to the less loaded of two cells that are drawn at random.
 * @param {number} cells
 * @param {import('./random.mjs').Random} random
 */
const placeTenants = (cells, random) => {
  const loads = new Float64Array(cells)
  const loadOf = (/** @type {number} */ cell) => loads[cell] ?? 0
  const weights = Array.from({ length: cells * TENANTS.perCell }, () => boundedPareto(random, TENANTS))
  const scale = cells * capacityOf() * LOAD / weights.reduce((sum, weight) => sum + weight, 0)
  const tenants = weights.map((weight) => {
    const rate = weight * scale
    const [one, other] = [Math.floor(random() * cells), Math.floor(random() * cells)]
    const cell = loadOf(one) <= loadOf(other) ? one : other
    loads[cell] = loadOf(cell) + rate
    return { rate, cell, revokedAt: Infinity }
  })
  for (let left = cells * REVOCATIONS_PER_CELL; left > 0; left--) {
    const tenant = tenants[Math.floor(random() * tenants.length)]
    if (tenant) tenant.revokedAt = random() * END_MS
  }
  return { tenants, loads }
}

/**
 * @param {number} cells
 * @param {Scenario} scenario
 * @param {number} seed
 * @returns `busiest`: part of the time that the replicas of the busiest cell work; `tenantsHit`: part of the tenants that had calls refused
 *   with 503; `afterRevocation`: calls that were answered although they came after the revocation of their credential
 */
export const simulate = (cells, scenario, seed) => {
  const random = seeded(seed)
  const { tenants, loads } = placeTenants(cells, random)
  const lost = scenario === 'a cell is lost' ? 0 : -1
  // The largest tenant of the busiest cell moves to the least busy one.
  const [from, to] = [Math.max, Math.min].map((pick) => loads.indexOf(pick(...loads)))
  const moving = scenario !== 'a tenant moves' || from === to
    ? undefined
    : tenants.filter(({ cell }) => cell === from).reduce((largest, one) => one.rate > largest.rate ? one : largest)

  /** @type {Array<Array<import('./cell.mjs').Call>>} */
  const arrivals = Array.from({ length: cells }, () => [])
  for (const tenant of tenants) {
    for (let at = exponential(random, 1000 / tenant.rate); at < END_MS; at += exponential(random, 1000 / tenant.rate)) {
      // A router knows nothing of the move: it reads the credential, and that of the new cell names the new cell.
      arrivals[tenant === moving && at >= EVENT_MS + RENEWAL_MS ? to ?? 0 : tenant.cell]?.push({ at, tenant })
    }
  }
  const outcomes = arrivals.map((calls, cell) => runCell(calls.sort((one, other) => one.at - other.at), {
    endMs: END_MS,
    random,
    cacheMs: scenario === 'verified once in 2 s' ? ROUTER_CACHE_MS : 0,
    isAway: (at) => cell === lost && at >= EVENT_MS && at < EVENT_MS + CELL.failoverMs,
    revokedAt: (tenant) => tenant === moving && cell !== to ? Math.min(tenant.revokedAt, EVENT_MS) : tenant.revokedAt
  }))

  const latencies = Float64Array.from(outcomes.flatMap((outcome) => outcome.latencies)).sort()
  const sum = (/** @type {'unavailable' | 'revoked' | 'afterRevocation'} */ what, left = outcomes) => left.reduce((all, outcome) => all + outcome[what], 0)
  return {
    cells,
    scenario,
    calls: arrivals.reduce((all, calls) => all + calls.length, 0),
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    busiest: Math.max(...outcomes.map(({ busy }) => busy)),
    tenantsHit: tenants.filter(({ cell }) => (outcomes[cell]?.unavailable ?? 0) > 0).length / tenants.length,
    unavailable: sum('unavailable'),
    unavailableElsewhere: sum('unavailable', outcomes.filter((_, cell) => cell !== lost)),
    revoked: sum('revoked'),
    afterRevocation: sum('afterRevocation')
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
  const runs = [1, 10, 100].flatMap((cells) => SCENARIOS
    .filter((scenario) => cells > 1 || scenario !== 'a tenant moves')
    .map((scenario) => simulate(cells, scenario, Number(values.seed))))
  const percent = (/** @type {number} */ part) => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`
  const head = ['cells', 'scenario', 'calls', 'p50, ms', 'p99, ms', 'busiest cell', 'tenants hit', '503', '503 in other cells', '401', 'answered after revocation']
  const rows = runs.map(({ p50Ms, p99Ms, busiest, tenantsHit, ...row }) => [
    row.cells, row.scenario, row.calls, p50Ms.toFixed(1), p99Ms.toFixed(1), percent(busiest), percent(tenantsHit),
    row.unavailable, row.unavailableElsewhere, row.revoked, row.afterRevocation
  ])
  console.log(markdownTable(head, rows))
}
