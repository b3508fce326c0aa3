import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedPackages } from '../production-packages.mjs'

const LINE = `\n${'-'.repeat(80)}\n\n`

/**
 * The licences of all that is published: of the program, of what is inside it, and the names of those of what npm installs beside it.
 * @param {string} root folder of a built program
 * @param {string} engine the licences of what is inside the engine's package
 */
export const notices = (root, engine) => {
  /** @param {string} file */
  const read = (file) => readFileSync(join(root, file), 'utf8').trim()
  const installed = installedPackages(root).map(({ name, version, license }) => `${name} ${version} (${license})`)
  return [
    read('LICENSE'),
    read('dist/THIRD-PARTY-LICENSES.txt'),
    read('src/search/embedders/word-vectors/wordnet.LICENSE.txt'),
    `The package of the engine. ${engine}`,
    `npm installs these packages beside the program, each with its licence in its folder.\n\n${[...new Set(installed)].sort().join('\n')}`
  ].join(LINE) + '\n'
}
