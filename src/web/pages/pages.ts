/** The pages of the web application as `npm run build` left them: read once, then served from memory. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Theme } from '../../access/sign-in/web-sessions.js'
import type { Config } from '../../config/config.js'
import { publicPathOf } from '../../http/public-path.js'
import type { PageName } from '../page-paths.js'

export interface Asset {
  type: string
  /** Without quotes; it names the content, not the encoding. */
  tag: string
  identity: Buffer
  br?: Buffer | undefined
  gzip?: Buffer | undefined
}

export interface Pages {
  /** By path, such as `assets/index-DAJE0gJx.css`. */
  assets: ReadonlyMap<string, Asset>
  /** The HTML that a page begins with, and that of an unknown address: made when it is first asked for. */
  shellOf (page: PageName | undefined, theme: Theme): Asset
}

interface Chunk { file: string, css?: string[], imports?: string[] }
type Manifest = Readonly<Record<string, Chunk>>

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8'
}
/** Beside the compiled server; for one that is run from its sources, where the build put them. */
const FOLDERS = ['../public/', '../../../dist/web/public/'].map((path) => new URL(path, import.meta.url))
const ENTRY = 'index.html'

/** Undefined when they were not built, as in a source tree before `npm run build`. */
export const readPages = (config: Pick<Config, 'publicUrl'>): Pages | undefined => {
  const root = FOLDERS.map((folder) => fileURLToPath(folder)).find((folder) => existsSync(join(folder, ENTRY)))
  if (root === undefined) return undefined
  const basePath = publicPathOf(config)
  const manifest: Manifest = JSON.parse(readFileSync(join(root, '.vite/manifest.json'), 'utf8'))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  const template = readFileSync(join(root, ENTRY), 'utf8').replaceAll('"./', `"${basePath}/`)
  const shells = new Map<string, Asset>()
  return {
    assets: new Map(files.flatMap((file) => {
      const type = TYPES[extname(file)]
      return type === undefined ? [] : [[file, readAsset(join(root, file), type)] as const]
    })),
    shellOf (page, theme) {
      const key = `${page ?? ''} ${theme}`
      const shell = shells.get(key) ?? compress(fill(template, linksOf(manifest, basePath, page), basePath, theme))
      shells.set(key, shell)
      return shell
    }
  }
}

const contentTag = (content: Buffer): string => createHash('sha256').update(content).digest('base64url').slice(0, 22)

const readAsset = (path: string, type: string): Asset => {
  const identity = readFileSync(path)
  const compressed = (suffix: string): Buffer | undefined =>
    existsSync(path + suffix) ? readFileSync(path + suffix) : undefined
  return { type, tag: contentTag(identity), identity, br: compressed('.br'), gzip: compressed('.gz') }
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

const fill = (template: string, links: readonly string[], basePath: string, theme: Theme): string => {
  const attributes = [
    ...theme === 'system' ? [] : [`data-theme="${theme}"`],
    // The pages read it: see app/lib/base-path.ts.
    ...basePath === '' ? [] : [`data-base="${basePath.replaceAll('&', '&amp;')}"`]
  ]
  const openingTag = ['<html', ...attributes, ''].join(' ')
  const themed = template.replace('<html ', () => openingTag)
  return themed.replace('</head>', () => `${links.map((link) => `  ${link}\n  `).join('')}</head>`)
}

/** What a page loads in addition to the shell, so that the browser can ask for it at once. */
const linksOf = (manifest: Manifest, basePath: string, page: PageName | undefined): string[] => {
  const own = withImports(manifest, `pages/${page}.tsx`)
  const shared = withImports(manifest, ENTRY)
  const chunks = [...own].filter((chunk) => !shared.has(chunk))
  const link = (rel: string) => (file: string) => `<link rel="${rel}" crossorigin href="${basePath}/${file}">`
  return [
    ...[...new Set(chunks.flatMap(({ css = [] }) => css))].map(link('stylesheet')),
    ...chunks.map(({ file }) => file).map(link('modulepreload'))
  ]
}

/** A chunk and all that it imports at once. */
const withImports = (manifest: Manifest, name: string, chunks = new Set<Chunk>()): Set<Chunk> => {
  const chunk = manifest[name]
  if (!chunk || chunks.has(chunk)) return chunks
  chunks.add(chunk)
  for (const importedName of chunk.imports ?? []) withImports(manifest, importedName, chunks)
  return chunks
}
