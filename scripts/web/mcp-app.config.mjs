// The plan as a view in a chat: sources in src/web/app/mcp-app, built into one self-contained file, dist/web/mcp-app/plan.html.
import { defineConfig } from 'vite'
import { forBrowsers } from './vite.config.mjs'

/** @type {import('vite').Plugin} */
const oneFile = {
  name: 'one-file',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler (_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('Vite wrote no index.html.')
      let html = String(page.source)
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue
        const tag = file.type === 'chunk'
          ? new RegExp(`<script[^>]* src="\\./${name}"[^>]*></script>`)
          : new RegExp(`<link[^>]* href="\\./${name}"[^>]*>`)
        if (!tag.test(html)) throw new Error(`${name} has no place in the page.`)
        const inlined = file.type === 'chunk'
          // A module is deferred, and so is this: it stands where the document is complete.
          ? `<script type="module">${file.code.trim().replaceAll(/<(?=\/script|!--)/gi, '\\x3c')}</script>`
          : `<style>${String(file.source).trim()}</style>`
        // A function, as `$` has a meaning in a replacement.
        html = html.replace(tag, () => inlined)
        delete bundle[name]
      }
      delete bundle['index.html']
      this.emitFile({ type: 'asset', fileName: 'plan.html', source: html })
    }
  }
}

export default defineConfig(forBrowsers({
  from: 'src/web/app/mcp-app/',
  to: 'dist/web/mcp-app/',
  name: 'vite-mcp-app',
  plugins: [oneFile],
  // Only ASCII, so that no host's encoding and no filter of invisible characters changes the program.
  build: { modulePreload: false, rolldownOptions: { output: { codeSplitting: false, charset: 'ascii' } } }
}))
