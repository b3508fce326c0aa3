/**
 * Asks the registry for known flaws of the production packages: `npm run audit:packages`. Fails for flaws that are high or critical; a
 * registry that does not offer the question is reported, and fails nothing.
 */
import { spawnSync } from 'node:child_process'

const TIMEOUT_MS = 60_000

const { stdout, error } = spawnSync('npm', ['audit', '--omit', 'dev', '--json'], { encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 })
const report = parsed(stdout ?? '')
const found = report?.metadata?.vulnerabilities
if (found === undefined) {
  console.log(`Known flaws were not checked: ${error?.message ?? report?.message ?? report?.error?.summary ?? 'the registry gave no report'}`)
} else {
  console.log(`Known flaws of production packages: ${JSON.stringify(found)}`)
  if (found.high > 0 || found.critical > 0) {
    for (const [name, { severity, range }] of Object.entries(report.vulnerabilities)) console.log(`${severity}: ${name} ${range}`)
    process.exitCode = 1
  }
}

/** @param {string} text */
function parsed (text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
