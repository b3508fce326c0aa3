import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder with this file was made by an earlier release, and may be replaced. */
const CHECKSUMS = 'SHA256SUMS'

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean }>} Packages */

/** Packages that are installed otherwise than the lockfile says; those for other systems may be missing. */
export const otherPackages = (/** @type {string} */ root) => {
  const read = (/** @type {string} */ path) =>
    /** @type {Packages} */ (existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), 'utf8')).packages : {})
  const { '': _, ...locked } = read('package-lock.json')
  const installed = read('node_modules/.package-lock.json')
  return Object.keys({ ...locked, ...installed }).filter((path) => path in installed
    ? installed[path]?.version !== locked[path]?.version || installed[path]?.integrity !== locked[path]?.integrity
    : !locked[path]?.optional)
}

/**
 * Why no release can be made of a checkout into a folder: one sentence each.
 * @param {string} root
 * @param {(...args: string[]) => string} git
 * @param {string} target
 */
export const reasonsAgainst = (root, git, target) => {
  const reasons = []
  const changed = git('status', '--porcelain')
  if (changed !== '') reasons.push(`A release is made of a commit, and these files differ from it (git status):\n${changed.trimEnd()}`)
  const others = otherPackages(root)
  if (others.length > 0) reasons.push(`These packages are not those of package-lock.json (npm ci installs them): ${others.slice(0, 10).join(', ')}.`)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  if (!changelog.includes(`\n## ${version} `)) reasons.push(`CHANGELOG.md has no part on ${version}, the version in package.json.`)
  const inTarget = existsSync(target) ? readdirSync(target) : []
  if (inTarget.length > 0 && !inTarget.includes(CHECKSUMS)) reasons.push(`${target} has files that are of no release: name another folder.`)
  return reasons
}
