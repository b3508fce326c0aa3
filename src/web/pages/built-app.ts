/** The browser side as `npm run build` left it: read once, then served from memory. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file with its precompressed forms. */
export interface Asset {
  type: string
  /** Without quotes; it names the content, not the encoding. */
  tag: string
  identity: Buffer
  br?: Buffer | undefined
  gzip?: Buffer | undefined
}

export interface BuiltApp {
  /** The page that all addresses begin with; its addresses of assets begin with `./`. */
  shell: string
  /** By path, such as `assets/index-DAJE0gJx.css`. */
  assets: ReadonlyMap<string, Asset>
  /** What the page `name` loads in addition to the shell, so that the browser can ask for it at once. */
  filesOf (name: string): { scripts: string[], styles: string[] }
}

interface Chunk { file: string, css?: string[], imports?: string[] }

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

/** The tag of a content: the beginning of its SHA-256. */
export const contentTag = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)

/**
 * Reads the built browser side.
 * @returns undefined when it was not built, as in a source tree before `npm run build`
 */
export const readBuiltApp = (): BuiltApp | undefined => {
  const root = FOLDERS.map((folder) => fileURLToPath(folder)).find((folder) => existsSync(join(folder, ENTRY)))
  if (root === undefined) return undefined
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(root, '.vite/manifest.json'), 'utf8'))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  const assets = new Map(files.flatMap((file) => {
    const type = TYPES[extname(file)]
    return type === undefined ? [] : [[file, readAsset(join(root, file), type)] as const]
  }))
  return {
    shell: readFileSync(join(root, ENTRY), 'utf8'),
    assets,
    filesOf (name) {
      const own = withImports(manifest, `pages/${name}.tsx`)
      const shared = withImports(manifest, ENTRY)
      const chunks = [...own].filter((chunk) => !shared.has(chunk))
      return { scripts: chunks.map(({ file }) => file), styles: [...new Set(chunks.flatMap(({ css = [] }) => css))] }
    }
  }
}

const readAsset = (path: string, type: string): Asset => {
  const identity = readFileSync(path)
  const compressed = (suffix: string): Buffer | undefined =>
    existsSync(path + suffix) ? readFileSync(path + suffix) : undefined
  return { type, tag: contentTag(identity), identity, br: compressed('.br'), gzip: compressed('.gz') }
}

/** A chunk and all that it imports at once. */
const withImports = (manifest: Record<string, Chunk>, name: string, chunks = new Set<Chunk>()): Set<Chunk> => {
  const chunk = manifest[name]
  if (!chunk || chunks.has(chunk)) return chunks
  chunks.add(chunk)
  for (const importedName of chunk.imports ?? []) withImports(manifest, importedName, chunks)
  return chunks
}
