import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of each package that is in the pages, as code and as font. */
export const PAGE_MODULES = ['preact', 'preact-iso', '@fontsource-variable/geist']
  .map((name) => fileURLToPath(new URL(`../../node_modules/${name}/package.json`, import.meta.url)))

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i
const README = /^readme\.md$/i
const LICENCE_SECTION = /^#+ licen[cs]e\s*$(.*)/ims

/**
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license as its package.json says
 * @property {string} text of its licence, and notice
 */

/**
 * The folder of the package that a module is of: the last below a `node_modules`.
 * @param {string} module path of a module
 * @returns {string | undefined}
 */
const packageFolder = (module) => /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(module)?.[1]

/** The text of the licence of the package in a folder. */
const readLicence = (/** @type {string} */ folder) => {
  const read = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8').trim()
  const all = readdirSync(folder)
  const files = all.filter((file) => LICENCE_FILE.test(file)).sort()
  if (files.length > 0) return files.map(read).join('\n\n')
  const section = all.filter((file) => README.test(file)).map((file) => LICENCE_SECTION.exec(read(file))?.[1]?.trim()).find(Boolean)
  if (section !== undefined) return section
  throw new Error(`${folder} has no file with its licence, nor a section about it in its README: it cannot be bundled.`)
}

/**
 * The packages that modules of a bundle are from, sorted by name.
 * @param {Iterable<string>} modules paths
 * @returns {BundledPackage[]}
 * @throws when the text of a licence is not found
 */
export const bundledPackages = (modules) => {
  const folders = new Set([...modules].map(packageFolder).filter((folder) => folder !== undefined))
  return [...folders].map((folder) => {
    const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const id = typeof license === 'string' ? license : license?.type ?? licenses?.[0]?.type
    return { name, version, license: id, text: readLicence(folder) }
  }).sort((one, other) => `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1)
}

/** One text of all licences. A text that several packages share word for word stands once. */
export const licencesText = (/** @type {readonly BundledPackage[]} */ packages) => {
  /** @type {Map<string, string[]>} */
  const sharing = new Map()
  for (const { name, version, license, text } of packages) sharing.set(text, [...sharing.get(text) ?? [], `${name} ${version} (${license})`])
  const parts = [...sharing].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  return ['This contains code, fonts or words of the following packages.\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}
