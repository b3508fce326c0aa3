/** One cell, from its first call to its last. */
import { CELL } from './model.mjs'
import { exponential } from './random.mjs'

/**
 * @typedef {{ rate: number, cell: number, revokedAt: number }} Tenant calls per second; the cell that its credentials name; milliseconds
 * @typedef {{ at: number, tenant: Tenant }} Call milliseconds
 */

/**
 * A station with several servers and one queue, first come, first served: answers when the work of a call ends. Calls must be given in the
 * order of their arrivals.
 */
export const createStation = (/** @type {number} */ servers) => {
  // When each of them is free.
  const free = new Float64Array(servers)
  return (/** @type {number} */ arrival, /** @type {number} */ work) => {
    const earliest = Math.min(...free)
    return (free[free.indexOf(earliest)] = Math.max(arrival, earliest) + work)
  }
}

/**
 * A call takes a replica, then the database, where one statement verifies its credential and reads what it asks for.
 * @param {readonly Call[]} calls in order
 * @param {{
 *   endMs: number, random: import('./random.mjs').Random, isAway: (at: number) => boolean,
 *   revokedAt: (tenant: Tenant) => number, cacheMs: number
 * }} surroundings whether the database is away at a time; when the credential of a tenant is revoked; how long a verification is believed
 * @returns milliseconds of each answered call; calls refused with 503 and with 401; calls that came after the revocation of their credential
 *   and were answered all the same; part of the time that the replicas work
 */
export const runCell = (calls, { endMs, random, isAway, revokedAt, cacheMs }) => {
  const [replicas, database] = [createStation(CELL.replicas), createStation(CELL.databaseCores)]
  /** @type {number[]} */
  const latencies = []
  const outcome = { latencies, unavailable: 0, revoked: 0, afterRevocation: 0, busy: 0 }
  /** @type {Array<{ call: Call, ready: number }>} */
  const read = []
  for (const call of calls) {
    const work = exponential(random, CELL.replicaWorkMs)
    const ready = isAway(call.at) ? Infinity : replicas(call.at, work)
    if (ready - call.at > CELL.maxWaitMs) {
      outcome.unavailable++
      continue
    }
    outcome.busy += work / (CELL.replicas * endMs)
    read.push({ call, ready })
  }
  read.sort((one, other) => one.ready - other.ready)
  /** @type {Map<Tenant, number>} when a tenant's credential was verified last */
  const verified = new Map()
  for (const { call: { at, tenant }, ready } of read) {
    const work = exponential(random, CELL.databaseWorkMs)
    const done = database(ready, work)
    const begun = done - work
    const last = verified.get(tenant) ?? -Infinity
    const verifiedAt = begun - last < cacheMs ? last : begun
    verified.set(tenant, verifiedAt)
    if (verifiedAt >= revokedAt(tenant)) {
      outcome.revoked++
      continue
    }
    latencies.push(done - at)
    if (at >= revokedAt(tenant)) outcome.afterRevocation++
  }
  return outcome
}
