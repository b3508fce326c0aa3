import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The name of the package that the lockfile has at a path. */
export const packageName = (/** @type {string} */ path) => path.split('node_modules/').at(-1) ?? path

/** The packages that npm installs with the program in `root`, from its lockfile. */
export const installedPackages = (/** @type {string} */ root) => {
  /** @type {{ packages: Record<string, { dev?: boolean, version?: string, license?: string }> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version, license }]) => ({ name: packageName(path), version, license }))
}

/**
 * The packages that users of the program in `root` run, each as `name@version`: those that are installed with it, and those whose code is in
 * the built program. `npm run build` comes first.
 */
export const productionPackages = (/** @type {string} */ root) => {
  /** @type {Array<{ name: string, version: string }>} */
  const bundled = JSON.parse(readFileSync(join(root, 'dist/bundled-packages.json'), 'utf8'))
  return new Set([...installedPackages(root), ...bundled].map(({ name, version }) => `${name}@${version}`))
}
