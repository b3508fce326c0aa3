/**
 * Writes a CycloneDX list of the packages that users run, installed beside the program or bundled into it, with the versions and checksums
 * of the lockfile: `node scripts/sbom.mjs`, or `node scripts/sbom.mjs FILE`. Needs the built program, and no network.
 */
import './ready.mjs'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { productionPackages } from './production-packages.mjs'

const [file = 'sbom.cdx.json'] = process.argv.slice(2)
// With "--omit dev" npm leaves out what production and development both need, and what is bundled: the rest is left out here.
const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
const text = execFileSync('npm', options, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] })
/**
 * @type {{ specVersion: string, metadata: { component: { 'bom-ref': string } }, components: Array<{ 'bom-ref': string }>,
 *   dependencies: Array<{ ref: string, dependsOn?: string[] }> }}
 */
const list = JSON.parse(text)
const needed = productionPackages()
const components = list.components.filter((component) => needed.has(component['bom-ref'].split('|')[0] ?? ''))
const listed = new Set([list.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])])
const dependencies = list.dependencies.filter(({ ref }) => listed.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn?.filter((on) => listed.has(on)) }))
writeFileSync(file, `${JSON.stringify({ ...list, components, dependencies }, null, 2)}\n`)
console.log(`${file}: CycloneDX ${list.specVersion}, ${components.length} packages`)
