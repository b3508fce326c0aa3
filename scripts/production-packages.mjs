import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The packages that users of the program run, each as `name@version`: those that are installed with it, from the lockfile, and those whose
 * code is in the built program. `npm run build` comes first.
 * @param {string} root folder of the project
 * @returns {Set<string>}
 */
export const productionPackages = (root) => {
  /** @param {string} path */
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  /** @type {{ packages: Record<string, { dev?: boolean, name?: string, version?: string }> }} */
  const { packages } = read('package-lock.json')
  /** @type {Array<{ name: string, version: string }>} */
  const bundled = read('dist/bundled-packages.json')
  return new Set([
    ...Object.entries(packages).filter(([, { dev }]) => !dev)
      .map(([path, { name, version }]) => `${name ?? packageName(path)}@${version}`),
    ...bundled.map(({ name, version }) => `${name}@${version}`)
  ])
}

/** The name of the package that the lockfile has at a path. */
export const packageName = (/** @type {string} */ path) => path.split('node_modules/').at(-1) ?? path
