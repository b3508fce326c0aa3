/**
 * Cells side by side, each of them a deployment: unequal tenants, a cell that is lost, a tenant that moves, and credentials that are revoked
 * all the while. `node scripts/scale/simulate.mjs [--seed=N] [--json]`: the same seed gives the same figures.
 */
import { pathToFileURL } from 'node:url'
import { runCell } from './cell.mjs'
import { CELL, ROUTER_CACHE_MS, SECONDS } from './model.mjs'
import { exponential, seeded } from './random.mjs'
import { loadsOf, moveOf, placeTenants, revocationsOf } from './tenants.mjs'

/**
 * @typedef {'steady' | 'a cell is lost' | 'a tenant moves' | 'verified once in 2 s'} Scenario
 * @typedef {{
 *   cells: number, scenario: Scenario, calls: number, p50Ms: number, p99Ms: number, busiest: number, tenantsHit: number,
 *   unavailable: number, unavailableElsewhere: number, revoked: number, afterRevocation: number
 * }} Figures
 *   busiest: part of the time that the replicas of the busiest cell work; tenantsHit: part of the tenants that had calls refused with 503; afterRevocation: calls that were
 *   answered although they came after the revocation of their credential
 */

const END_MS = SECONDS * 1000
/** @type {readonly Scenario[]} */
const SCENARIOS = ['steady', 'a cell is lost', 'a tenant moves', 'verified once in 2 s']

/**
 * @param {number} cells
 * @param {Scenario} scenario
 * @param {number} seed
 * @returns {Figures}
 */
export const simulate = (cells, scenario, seed) => {
  const random = seeded(seed)
  const tenants = placeTenants(cells, random)
  const loads = loadsOf(tenants, cells)
  const revocations = revocationsOf(tenants, { cells, endMs: END_MS, random })
  const lost = scenario === 'a cell is lost' ? 0 : -1
  const move = scenario === 'a tenant moves' ? moveOf(tenants, loads, END_MS / 4) : undefined
  /** @type {Figures} */
  const figures = {
    cells,
    scenario,
    calls: 0,
    p50Ms: 0,
    p99Ms: 0,
    busiest: 0,
    tenantsHit: 0,
    unavailable: 0,
    unavailableElsewhere: 0,
    revoked: 0,
    afterRevocation: 0
  }

  /** @type {Array<Array<import('./cell.mjs').Call>>} */
  const arrivals = Array.from({ length: cells }, () => [])
  tenants.forEach(({ rate, cell }, tenant) => {
    for (let at = exponential(random, 1000 / rate); at < END_MS; at += exponential(random, 1000 / rate)) {
      // A router knows nothing of the move: it reads the credential, and that of the new cell names the new cell.
      arrivals[move?.tenant === tenant && at >= move.renewedAt ? move.to : cell]?.push({ at, tenant })
    }
  })

  /** @type {number[][]} */
  const latencies = []
  arrivals.forEach((calls, cell) => {
    calls.sort((one, other) => one.at - other.at)
    const outcome = runCell(calls, {
      endMs: END_MS,
      random,
      cacheMs: scenario === 'verified once in 2 s' ? ROUTER_CACHE_MS : 0,
      isAway: (at) => cell === lost && at >= END_MS / 4 && at < END_MS / 4 + CELL.failoverMs,
      revokedAt: (tenant) =>
        Math.min(revocations.get(tenant) ?? Infinity, move?.tenant === tenant && cell !== move.to ? move.at : Infinity)
    })
    latencies.push(outcome.latencies)
    figures.calls += calls.length
    figures.unavailable += outcome.unavailable
    if (cell !== lost) figures.unavailableElsewhere += outcome.unavailable
    figures.revoked += outcome.revoked
    figures.afterRevocation += outcome.afterRevocation
    figures.busiest = Math.max(figures.busiest, outcome.busy)
    if (outcome.unavailable > 0) figures.tenantsHit += tenants.filter((tenant) => tenant.cell === cell).length / tenants.length
  })
  const sorted = Float64Array.from(latencies.flat()).sort()
  figures.p50Ms = sorted[Math.floor(sorted.length * 0.5)] ?? 0
  figures.p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  return figures
}

/** @param {Figures[]} rows */
const print = (rows) => {
  const percent = (/** @type {number} */ part) => `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`
  const head = ['cells', 'scenario', 'calls', 'p50, ms', 'p99, ms', 'busiest cell', 'tenants hit', '503', '503 in other cells', '401', 'answered after revocation']
  console.log(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`)
  for (const row of rows) {
    console.log(`| ${[
      row.cells, row.scenario, row.calls, row.p50Ms.toFixed(1), row.p99Ms.toFixed(1), percent(row.busiest), percent(row.tenantsHit),
      row.unavailable, row.unavailableElsewhere, row.revoked, row.afterRevocation
    ].join(' | ')} |`)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const seed = Number(process.argv.find((arg) => arg.startsWith('--seed='))?.slice('--seed='.length) ?? 1)
  const rows = [1, 10, 100].flatMap((cells) => SCENARIOS
    .filter((scenario) => cells > 1 || scenario !== 'a tenant moves')
    .map((scenario) => simulate(cells, scenario, seed)))
  if (process.argv.includes('--json')) console.log(JSON.stringify(rows, null, 2))
  else print(rows)
}
