/** The HTML that every page begins with: the same but for the theme of the browser and the files of the page. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { PageName } from '../page-paths.js'
import type { Theme } from '../../access/sign-in/web-sessions.js'
import { contentTag, type Asset, type BuiltApp } from './built-app.js'

export interface Shell {
  /** The shell of a page; of none for an unknown address. */
  of (page: PageName | undefined, theme: Theme): Asset
}

/**
 * Creates the shells of an application. Each is made when it is first asked for; there are as many as pages and themes.
 * @param basePath the path of PUBLIC_URL, such as `/plans`; empty when it has none
 */
export const createShell = (app: BuiltApp, basePath: string): Shell => {
  const shells = new Map<string, Asset>()
  const template = app.shell.replaceAll('"./', `"${basePath}/`)
  return {
    of (page, theme) {
      const key = `${page ?? ''} ${theme}`
      const shell = shells.get(key) ?? compress(fill(template, app, basePath, page, theme))
      shells.set(key, shell)
      return shell
    }
  }
}

const fill = (template: string, app: BuiltApp, basePath: string, page: PageName | undefined, theme: Theme): string => {
  const { scripts, styles } = page === undefined ? { scripts: [], styles: [] } : app.filesOf(page)
  const links = [
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="${basePath}/${file}">`),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="${basePath}/${file}">`)
  ]
  const attributes = [
    ...theme === 'system' ? [] : [`data-theme="${theme}"`],
    // The pages read it: see app/lib/base-path.ts.
    ...basePath === '' ? [] : [`data-base="${basePath.replaceAll('&', '&amp;')}"`]
  ]
  const openingTag = ['<html', ...attributes, ''].join(' ')
  const themed = template.replace('<html ', () => openingTag)
  return themed.replace('</head>', () => `${links.map((link) => `  ${link}\n  `).join('')}</head>`)
}

const compress = (html: string): Asset => {
  const identity = Buffer.from(html)
  return {
    type: 'text/html; charset=utf-8',
    tag: contentTag(identity),
    identity,
    br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    gzip: gzipSync(identity)
  }
}
