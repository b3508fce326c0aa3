import { readFileSync } from 'node:fs'

/** @type {{ dependencies: Record<string, string>, peerDependencies: Record<string, string> }} */
const { dependencies, peerDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const names = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]

/**
 * Whether an import stays an import: what Node has, what is installed beside the program, and what the operator may install. All other
 * packages go into the bundle.
 * @param {string} id as it is written in the `import`
 */
export const isExternal = (id) => id.startsWith('node:') || names.some((name) => id === name || id.startsWith(`${name}/`))
