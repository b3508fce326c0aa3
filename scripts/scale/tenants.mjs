/** Tenants, where they are, and what happens to them. */
import { capacityOf, LOAD, RENEWAL_MS, REVOCATIONS_PER_CELL, TENANTS } from './model.mjs'
import { boundedPareto } from './random.mjs'

/**
 * @typedef {{ rate: number, cell: number }} Tenant calls per second; the cell that its credentials name
 * @typedef {{ tenant: number, to: number, at: number, renewedAt: number }} Move
 */

/**
 * New tenants go to the less loaded of two cells that are drawn at random.
 * @param {number} cells
 * @param {import('./random.mjs').Random} random
 * @returns {Tenant[]}
 */
export const placeTenants = (cells, random) => {
  const loads = new Float64Array(cells)
  const weights = Array.from({ length: cells * TENANTS.perCell }, () => boundedPareto(random, TENANTS))
  const scale = cells * capacityOf() * LOAD / weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => {
    const rate = weight * scale
    const one = Math.floor(random() * cells)
    const other = Math.floor(random() * cells)
    const cell = (loads[one] ?? 0) <= (loads[other] ?? 0) ? one : other
    loads[cell] = (loads[cell] ?? 0) + rate
    return { rate, cell }
  })
}

/** Calls per second of each cell. */
export const loadsOf = (/** @type {readonly Tenant[]} */ tenants, /** @type {number} */ cells) => {
  const loads = new Float64Array(cells)
  for (const { rate, cell } of tenants) loads[cell] = (loads[cell] ?? 0) + rate
  return loads
}

/**
 * The largest tenant of the busiest cell moves to the least busy one; undefined where there is one cell.
 * @param {readonly Tenant[]} tenants
 * @param {Float64Array} loads
 * @param {number} at milliseconds
 * @returns {Move | undefined}
 */
export const moveOf = (tenants, loads, at) => {
  if (loads.length < 2) return undefined
  const from = loads.indexOf(Math.max(...loads))
  const to = loads.indexOf(Math.min(...loads))
  const tenant = tenants.reduce((best, { rate, cell }, place) =>
    cell === from && rate > (tenants[best]?.cell === from ? tenants[best].rate : 0) ? place : best, 0)
  return { tenant, to, at, renewedAt: at + RENEWAL_MS }
}

/**
 * The time at which the credential of a tenant is revoked, for those whose is.
 * @param {readonly Tenant[]} tenants
 * @param {{ cells: number, endMs: number, random: import('./random.mjs').Random }} options
 * @returns {Map<number, number>}
 */
export const revocationsOf = (tenants, { cells, endMs, random }) => new Map(Array.from(
  { length: cells * REVOCATIONS_PER_CELL }, () => [Math.floor(random() * tenants.length), random() * endMs]))
