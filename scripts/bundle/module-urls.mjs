import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../../src/', import.meta.url))

/**
 * A plugin of rolldown. Modules find data and threads by `import.meta.url`, which in a bundle is the address of the bundle: each gets the
 * address back that it has as a file of its own, as `dist/` has the folders of `src/`.
 * @param {string} dist address of `dist/` as an expression of JavaScript in the bundle
 * @returns {import('rolldown').Plugin}
 */
export const moduleUrls = (dist) => ({
  name: 'module-urls',
  transform: {
    filter: { code: 'import.meta.url', id: /\.ts$/ },
    handler (code, id) {
      const path = relative(src, id).replaceAll(sep, '/').replace(/\.ts$/, '.js')
      // Lines stay, so that the source map of the compiler stays true of them.
      return { code: code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, ${dist}).href`), map: null }
    }
  }
})
