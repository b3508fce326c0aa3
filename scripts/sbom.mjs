/**
 * Writes a CycloneDX list of the production packages in the lockfile: `npm run sbom`, or `npm run sbom -- FILE`. Needs no network.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const [file = 'sbom.cdx.json'] = process.argv.slice(2)
const options = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only']
const text = execFileSync('npm', options, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] })
const { components, specVersion } = JSON.parse(text)
writeFileSync(file, text)
console.log(`${file}: CycloneDX ${specVersion}, ${components.length} packages`)
