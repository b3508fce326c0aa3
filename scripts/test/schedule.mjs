/**
 * In which order test files run, so that no processor is idle. Files with a line `// @waits: REASON` wait for time limits or pauses for most
 * of their time: one of the lanes takes them first, the others take files that compute.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD, ROOT } from './compile.mjs'
import { hasMarker } from './has-marker.mjs'

const DURATIONS = join(BUILD, 'durations.json')
// Where no run has measured yet, these begin, the longest first: each takes three seconds or more, some of them only beside PostgreSQL.
const LONG = [
  'db/query-plans', 'cluster/replicas', 'server/cluster', 'db/audit-life', 'db/postgres', 'cluster/replicas-protocol',
  'client-testing/profiles', 'cli/init-remote', 'client-testing/grade-command', 'cli', 'docs/pages', 'platform/gateway', 'http/caller-cost',
  'importers/sync', 'lib/pathological', 'db/pglite', 'http/draining', 'server/restart', 'cli/init-page',
  'cli/hostile-server', 'oauth/processes', 'cli/init', 'engine/http/streams', 'lib/redact/secrets', 'web/permissions',
  'db/pglite-crash', 'oauth/secrets', 'importers/records/robust', 'http/watchers', 'search/embedder-unavailable',
  'client-testing/recording', 'http/memory', 'engine/engine-surface', 'search/quality', 'platform/client', 'telemetry/traces', 'build/bundle',
  'client-testing/action', 'db/crash', 'web/oidc', 'server/record-cache', 'cli/audit-life',
  'db/audit-partitions', 'agent-setup/survival'
].map((path) => `test/${path}.test.ts`)
const STARTS_PROCESSES = /from '(?:node:child_process|[^']*\/(?:git|imported|commands-in-one-process)\.js)'/

/** @typedef {Record<string, number>} Durations milliseconds of the last run, by test file */

/** @returns {Durations} */
export const readDurations = () => {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8'))
  } catch {
    return {}
  }
}

/** @param {Durations} durations */
export const writeDurations = (durations) => { writeFileSync(DURATIONS, JSON.stringify(durations)) }

/**
 * Whether a file starts processes: a fork copies the page tables of the worker, which takes 20 ms when the worker is new and 100 ms when
 * it has run many files.
 * @param {string} path
 */
const startsProcesses = (path) => STARTS_PROCESSES.test(readFileSync(join(ROOT, path), 'utf8'))

/**
 * Files that compute, and files that mostly wait. In each list those that start processes are before the others, and then the longest are
 * first, so that no lane is left with one at the end.
 * @param {string[]} paths
 * @param {Durations} durations
 * @returns {{ computing: string[], waiting: string[] }}
 */
export const sortFiles = (paths, durations) => {
  /** @param {string} path */
  const expected = (path) => durations[path] ?? (LONG.includes(path) ? 10_000 - LONG.indexOf(path) : 1000)
  const files = paths
    .map((path) => ({ path, ms: expected(path), first: startsProcesses(path), waits: hasMarker(path, 'waits') }))
    .sort((one, other) => Number(other.first) - Number(one.first) || other.ms - one.ms || one.path.localeCompare(other.path))
  /** @param {boolean} which */
  const those = (which) => files.filter((file) => file.waits === which).map(({ path }) => path)
  return { computing: those(false), waiting: those(true) }
}

/**
 * Runs each file in one of so many lanes. Beside two or more that compute, there is one for the files that mostly wait.
 * @param {{ computing: string[], waiting: string[] }} files
 * @param {number} lanes
 * @param {(path: string) => Promise<void>} run
 */
export const runInLanes = async ({ computing, waiting }, lanes, run) => {
  const compute = [...computing]
  const wait = [...waiting]
  /** @param {() => string | undefined} next */
  const lane = async (next) => {
    for (let path = next(); path !== undefined; path = next()) await run(path)
  }
  const besides = lanes > 2 && wait.length > 0 ? [lane(() => wait.shift())] : []
  await Promise.all([...besides, ...Array.from({ length: lanes - besides.length }, () => lane(() => compute.shift() ?? wait.shift()))])
}
