// A plugin of Vite: the page with its program and its styles in it, as the one file plan.html.

/** @type {import('vite').Plugin} */
export const oneFile = {
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
