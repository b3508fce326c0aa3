// The browser side of the web application: sources in src/web/app, built into dist/web/public.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))
// The order in which styles win. The minifier drops it from files that follow it by themselves, but files are loaded in any order.
const LAYERS = '@layer tokens,base,layout,components,pages;'
const SERVER = process.env['WEB_SERVER'] ?? 'http://localhost:8080'

/** @type {import('vite').Plugin} */
const layerOrder = {
  name: 'layer-order',
  generateBundle: {
    order: 'post',
    handler (_options, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type === 'asset' && asset.fileName.endsWith('.css')) asset.source = LAYERS + asset.source
      }
    }
  }
}

/**
 * The options of a build for browsers.
 * @param {{ from: string, to: string, plugins: import('vite').Plugin[], build: import('vite').BuildEnvironmentOptions }} of
 * @returns {import('vite').UserConfig}
 */
export const forBrowsers = ({ from, to, plugins, build }) => ({
  root: root + from,
  base: './',
  publicDir: false,
  cacheDir: `${root}node_modules/.cache/vite/`,
  clearScreen: false,
  logLevel: 'warn',
  plugins,
  resolve: { preserveSymlinks: true },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: root + to,
    emptyOutDir: true,
    target: 'es2023',
    // Named browsers keep light-dark() in the styles.
    cssTarget: ['chrome125', 'firefox128', 'safari17.5'],
    sourcemap: false,
    ...build
  }
})

export default defineConfig({
  // The server writes the address of the assets into the shell.
  ...forBrowsers({ from: 'src/web/app/', to: 'dist/web/public/', plugins: [layerOrder], build: {
    // An inlined asset would be a data: address, which the policy of the pages forbids for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file of what all pages share: fewer requests, and pages stay small.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'shared', test: /node_modules[\\/]preact|src[\\/]web[\\/]app[\\/](?:api|components|lib|shell)[\\/](?!markdown|passkey|plan-progress|word-diff|text-diff|hostile-text|describe-browser|set-membership|table|choices|code-field)|src[\\/]web[\\/][\w-]+\.ts$|preload-helper/ }, { name: 'lists', test: /src[\\/]web[\\/]app[\\/]components[\\/](?:table|choices|code-field)\./ }]
        }
      }
    },
    manifest: true
  } }),
  // `npx vite --config scripts/web/vite.config.mjs`: the pages from the sources, everything else from a started server.
  server: {
    host: 'localhost',
    port: 5173,
    strictPort: true,
    fs: { allow: [root] },
    proxy: {
      '^/(?:web/v1|auth|mcp)(?:/|$)': { target: SERVER, changeOrigin: true, headers: { origin: new URL(SERVER).origin } }
    }
  }
})
