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
  const components = list.components.filter((component) => needed.has(component['bom-ref'].replace(/\|.*/, '')))
  const listed = new Set([list.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])])
  const dependencies = list.dependencies.filter(({ ref }) => listed.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, ...dependsOn && { dependsOn: dependsOn.filter((on) => listed.has(on)) } }))
  // npm names it by its folder.
  const component = { ...list.metadata.component, name: list.metadata.component['bom-ref'].replace(/@[^@]*$/, '') }
  // Of version 8, which is the same for the same text.
  const hash = createHash('sha256').update(JSON.stringify([time, component, components])).digest('hex')
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5')
  return {
    ...list,
    serialNumber: `urn:uuid:${uuid}`,
    metadata: { ...list.metadata, timestamp: time.toISOString(), component },
    components,
    dependencies
  }
}
