/**
 * Asks the registry for known flaws of the packages that users run, installed beside the program or bundled into it: `node scripts/audit-packages.mjs`.
 * Fails for flaws that are high or critical; a registry that does not offer the question is reported, and fails nothing.
 */
import './ready.mjs'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { packageName, productionPackages } from './production-packages.mjs'

const TIMEOUT_MS = 60_000

/** @typedef {{ severity: string, range: string, nodes: string[] }} Flaw `nodes`: paths of the lockfile */
/** @typedef {{ vulnerabilities?: Record<string, Flaw>, message?: string, error?: { summary?: string } }} Report */

// Bundled packages are installed for development only: all are asked for, and those that users never run are left out here.
const { stdout, error } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 })
/** @type {Report} */
let report = {}
try {
  report = JSON.parse(stdout)
} catch {
  // It says nothing.
}
if (report.vulnerabilities === undefined) {
  console.log(`Known flaws were not checked: ${error?.message ?? report.message ?? report.error?.summary ?? 'the registry gave no report'}`)
} else {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const needed = productionPackages('.')
  const found = Object.entries(report.vulnerabilities)
    .filter(([, { nodes }]) => nodes.some((path) => needed.has(`${packageName(path)}@${packages[path]?.version}`)))
  /** @type {Record<string, number>} */
  const counts = { info: 0, low: 0, moderate: 0, high: 0, critical: 0 }
  for (const [, { severity }] of found) counts[severity] = (counts[severity] ?? 0) + 1
  console.log(`Known flaws of the packages that users run: ${JSON.stringify(counts)}`)
  if (found.some(([, { severity }]) => severity === 'high' || severity === 'critical')) {
    for (const [name, { severity, range }] of found) console.log(`${severity}: ${name} ${range}`)
    process.exitCode = 1
  }
}
