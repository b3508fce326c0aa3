/** One cell, from its first call to its last. */
import { CELL } from './model.mjs'
import { createStation } from './queue.mjs'
import { exponential } from './random.mjs'

/**
 * @typedef {{ at: number, tenant: number }} Call at: milliseconds
 * @typedef {{ latencies: number[], unavailable: number, revoked: number, afterRevocation: number, busy: number }} Outcome
 *   milliseconds of each answered call; calls refused with 503 and with 401; calls that came after the revocation of their credential and
 *   were answered all the same; part of the time that the replicas work
 */

/**
 * A call takes a replica, then the database, where one statement verifies its credential and reads what it asks for.
 * @param {readonly Call[]} calls in order
 * @param {{
 *   endMs: number, random: import('./random.mjs').Random, isAway: (at: number) => boolean,
 *   revokedAt: (tenant: number) => number, cacheMs: number
 * }} surroundings whether the database is away at a time; when the credential of a tenant is revoked; how long a verification is believed
 * @returns {Outcome}
 */
export const runCell = (calls, { endMs, random, isAway, revokedAt, cacheMs }) => {
  const replicas = createStation(CELL.replicas)
  const database = createStation(CELL.databaseCores)
  /** @type {Outcome} */
  const outcome = { latencies: [], unavailable: 0, revoked: 0, afterRevocation: 0, busy: 0 }
  /** @type {Map<number, number>} when a tenant's credential was verified last */
  const verified = new Map()
  /** @type {Array<{ call: Call, ready: number }>} */
  const read = []
  for (const call of calls) {
    const work = exponential(random, CELL.replicaWorkMs)
    const ready = isAway(call.at) ? Infinity : replicas.begin(call.at, work)
    if (ready - call.at > CELL.maxWaitMs) {
      outcome.unavailable++
      continue
    }
    outcome.busy += work / (CELL.replicas * endMs)
    read.push({ call, ready })
  }
  read.sort((one, other) => one.ready - other.ready)
  for (const { call, ready } of read) {
    const work = exponential(random, CELL.databaseWorkMs)
    const done = database.begin(ready, work)
    const begun = done - work
    const last = verified.get(call.tenant) ?? -Infinity
    const verifiedAt = begun - last < cacheMs ? last : begun
    verified.set(call.tenant, verifiedAt)
    if (verifiedAt >= revokedAt(call.tenant)) {
      outcome.revoked++
      continue
    }
    outcome.latencies.push(done - call.at)
    if (call.at >= revokedAt(call.tenant)) outcome.afterRevocation++
  }
  return outcome
}
