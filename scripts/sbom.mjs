/**
 * Writes a CycloneDX list of the packages that users run, installed beside the program or bundled into it, with the versions and checksums
 * of the lockfile: `node scripts/sbom.mjs`, or `node scripts/sbom.mjs FILE`. Needs no network.
 */
import './ready.mjs'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { billOfMaterials } from './release/bill-of-materials.mjs'

const [file = 'sbom.cdx.json'] = process.argv.slice(2)
const list = billOfMaterials(fileURLToPath(new URL('../', import.meta.url)), new Date())
writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`)
console.log(`${file}: CycloneDX ${list.specVersion}, ${list.components.length} packages`)
