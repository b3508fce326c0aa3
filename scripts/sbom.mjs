/**
 * Writes a CycloneDX list of the production packages in the lockfile: `npm run sbom`, or `npm run sbom -- FILE`. Needs no network.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const [file = 'sbom.cdx.json'] = process.argv.slice(2)
// With "--omit dev" npm leaves out what production and development both need: what only development needs is left out here.
const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
const text = execFileSync('npm', options, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] })
/** @type {{ packages: Record<string, { dev?: boolean, name?: string, version?: string }> }} */
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
/**
 * @type {{ specVersion: string, metadata: { component: { 'bom-ref': string } }, components: Array<{ 'bom-ref': string }>,
 *   dependencies: Array<{ ref: string, dependsOn?: string[] }> }}
 */
const list = JSON.parse(text)
const needed = new Set(Object.entries(packages).filter(([, { dev }]) => !dev)
  .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`))
const components = list.components.filter((component) => needed.has(component['bom-ref'].split('|')[0] ?? ''))
const listed = new Set([list.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])])
const dependencies = list.dependencies.filter(({ ref }) => listed.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn?.filter((on) => listed.has(on)) }))
writeFileSync(file, `${JSON.stringify({ ...list, components, dependencies }, null, 2)}\n`)
console.log(`${file}: CycloneDX ${list.specVersion}, ${components.length} packages`)
