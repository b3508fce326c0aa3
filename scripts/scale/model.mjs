/** What the simulation assumes. */

/** Milliseconds of processors for one call, as docs/explanation/scale.md says, and the part of all calls that are such. */
const CALLS = [
  { name: 'get_exploration', part: 0.7, replicaMs: 0.20, databaseMs: 0.12 },
  { name: 'ping', part: 0.2, replicaMs: 0.16, databaseMs: 0.06 },
  { name: 'find_explorations', part: 0.1, replicaMs: 2.37, databaseMs: 1.18 }
]

/** One cell: PostgreSQL, Valkey and replicas of one deployment. */
export const CELL = {
  replicas: 4,
  databaseCores: 4,
  /** A call that would wait for longer is refused with 503. */
  maxWaitMs: 10_000,
  /** Until the standby answers instead of a lost database. */
  failoverMs: 2000,
  /** Of the mean call. */
  replicaWorkMs: CALLS.reduce((sum, { part, replicaMs }) => sum + part * replicaMs, 0),
  databaseWorkMs: CALLS.reduce((sum, { part, databaseMs }) => sum + part * databaseMs, 0)
}

/** Teams of one cell: how many, and how unequal. The largest makes about a fifth of what a cell can do. */
export const TENANTS = { perCell: 300, exponent: 1.1, least: 1, most: 750 }

/** Part of the capacity of all cells that is used. */
export const LOAD = 0.5

/** Seconds that are simulated. */
export const SECONDS = 4

/** For comparison: a router that believes for so long what it has verified once. */
export const ROUTER_CACHE_MS = 2000

/** Until the agents of a tenant that moves have the credentials of their new cell. */
export const RENEWAL_MS = 1000

/** Credentials that are revoked while it runs, in each cell. */
export const REVOCATIONS_PER_CELL = 20

/** Calls per second that a cell can do. */
export const capacityOf = ({ replicas, databaseCores, replicaWorkMs, databaseWorkMs } = CELL) =>
  1000 * Math.min(replicas / replicaWorkMs, databaseCores / databaseWorkMs)
