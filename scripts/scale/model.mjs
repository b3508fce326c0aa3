/**
 * What the simulation assumes. Milliseconds of processors are those that `npm run bench:hosted` prints for one `get_exploration`, which reads
 * a record, counts two limits and commits an audit row.
 */

/** One cell: PostgreSQL, Valkey and replicas of one deployment. */
export const CELL = {
  replicas: 8,
  databaseCores: 8,
  /** A call that would wait for longer is refused with 503. */
  maxWaitMs: 10_000,
  /** Milliseconds of a replica's processor for one call, and of the database's. */
  replicaWorkMs: 1.1,
  databaseWorkMs: 0.9,
  /** Until the standby answers in place of a lost database. */
  failoverMs: 3000
}

/** Teams of one cell: how many, and how unequal. The largest makes about a fifth of what a cell can do. */
export const TENANTS = { perCell: 300, exponent: 1.1, least: 1, most: 750 }

/** Part of the capacity of all cells that is used. */
export const LOAD = 0.5

/** Seconds that are simulated. */
export const SECONDS = 5

/** For comparison: a router that believes for so long what it has verified once. */
export const ROUTER_CACHE_MS = 2000

/** Until the agents of a tenant that moves have the credentials of their new cell. */
export const RENEWAL_MS = 1000

/** Credentials that are revoked while it runs, in each cell. */
export const REVOCATIONS_PER_CELL = 20

/** Calls per second that a cell can do. */
export const capacityOf = ({ replicas, databaseCores, replicaWorkMs, databaseWorkMs } = CELL) =>
  1000 * Math.min(replicas / replicaWorkMs, databaseCores / databaseWorkMs)
