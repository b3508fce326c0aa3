import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { productionPackages } from '../production-packages.mjs'

/**
 * @typedef {object} BillOfMaterials
 * @property {string} specVersion
 * @property {string} serialNumber
 * @property {{ timestamp: string, component: { 'bom-ref': string, name: string } }} metadata
 * @property {Array<{ 'bom-ref': string }>} components
 * @property {Array<{ ref: string, dependsOn?: string[] }>} dependencies
 */

/** @param {string} ref */
const withoutPath = (ref) => ref.split('|')[0] ?? ''

/**
 * A CycloneDX list of the packages that users of a built program run, from its lockfile. The same program at the same time gives the same list.
 * @param {string} root folder of the project
 * @param {Date} time when it was made
 * @returns {BillOfMaterials}
 */
export const billOfMaterials = (root, time) => {
  // With "--omit dev" npm leaves out what production and development both need, and what is bundled: the rest is left out here.
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const text = execFileSync('npm', options, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] })
  /** @type {BillOfMaterials} */
  const list = JSON.parse(text)
  const needed = productionPackages(root)
  const components = list.components.filter((component) => needed.has(withoutPath(component['bom-ref'])))
  const listed = new Set([list.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])])
  const dependencies = list.dependencies.filter(({ ref }) => listed.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, ...dependsOn && { dependsOn: dependsOn.filter((on) => listed.has(on)) } }))
  // npm names it by its folder.
  const component = { ...list.metadata.component, name: list.metadata.component['bom-ref'].replace(/@[^@]*$/, '') }
  return {
    ...list,
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([time, component, components]))}`,
    metadata: { ...list.metadata, timestamp: time.toISOString(), component },
    components,
    dependencies
  }
}

/** A UUID of version 8, which is the same for the same text. */
const uuidOf = (/** @type {string} */ text) => {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
