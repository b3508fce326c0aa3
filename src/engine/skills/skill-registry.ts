/** The registry of skills: their manifests, and their files and folders by URI. */
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import type { ResourceContents, ResourceEntry } from '../resources/resource.js'
import type { ResourceRegistry } from '../resources/resource-registry.js'
import { parseFrontmatter, readSkillTrees, type SkillTree } from './read-skill-tree.js'
import type { Skill, SkillFolders, SkillResource } from './skill.js'

/** @throws {Error} naming the folder or file, when a skill breaks the rules or two have one URI */
export const loadSkills = async (options: readonly string[] | SkillFolders): Promise<SkillRegistry> => {
  const { folders, listed = true }: SkillFolders = 'folders' in options ? options : { folders: options }
  const registry = new SkillRegistry(listed)
  for (const folder of folders) {
    const trees = await readSkillTrees(await realpath(folder))
    if (trees.length === 0) throw new Error(`There is no SKILL.md in ${folder} or below it.`)
    for (const tree of trees) await registry.add(resolve(folder), tree)
  }
  return registry
}

export class SkillRegistry {
  /** By the URI of SKILL.md, in the order of the folders. */
  readonly skills = new Map<string, Skill>()
  /** Files by URI. */
  readonly contents = new Map<string, ResourceContents>()
  /** The direct children of each folder by its URI. */
  readonly folders = new Map<string, ResourceEntry[]>()
  /** What `resources/list` shows. */
  readonly listed: ResourceEntry[] = []

  constructor (private readonly listsFiles: boolean) {}

  /** Adds a skill, and those within it. `folder` is for messages. */
  async add (folder: string, { segments, files, folders }: SkillTree): Promise<void> {
    const at = (path: string): string => join(folder, ...segments, path)
    const frontmatters = new Map<string, Skill['frontmatter']>()
    for (const [path, bytes] of files) {
      if (!/(?:^|\/)SKILL\.md$/.test(path)) continue
      const frontmatter = await parseFrontmatter(bytes.toString()).catch((error: unknown) => {
        throw new Error(`${at(path)}: ${error instanceof Error ? error.message : String(error)}.`)
      })
      const parent = [...segments, ...path.split('/')].at(-2)
      // The folder that was named may have any name, such as that of a version.
      if (parent !== undefined && parent !== frontmatter.name) {
        throw new Error(`${at(path)}: the name is ${frontmatter.name}, and its folder is ${parent}. They are the same.`)
      }
      frontmatters.set(path, frontmatter)
    }
    const root = segments.length > 0 ? segments : [frontmatters.get('SKILL.md')?.name ?? '']
    const uriOf = (path: string): string =>
      `skill://${[...root, ...path.split('/')].filter(Boolean).map(encodeURIComponent).join('/')}`
    for (const path of folders) this.addFolder(uriOf(path))
    const resources = [...files].map(([path, bytes]): SkillResource & { path: string } => {
      const uri = uriOf(path)
      if (this.contents.has(uri)) throw new Error(`${at(path)}: another folder has ${uri} already.`)
      const contents = { uri, ...contentsOf(path, bytes) }
      const { name = lastOf(path), description } = frontmatters.get(path) ?? {}
      const entry = { uri, name, ...description !== undefined && { description }, mimeType: contents.mimeType }
      this.contents.set(uri, contents)
      if (this.listsFiles) this.listed.push(entry)
      this.addChild(uri, entry)
      return { path, uri, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length }
    })
    for (const [path, frontmatter] of frontmatters) {
      const start = path.slice(0, -'SKILL.md'.length)
      this.skills.set(uriOf(path), {
        uri: uriOf(path),
        frontmatter,
        resources: resources.filter((resource) => resource.path.startsWith(start)).map(({ path: _, ...rest }) => rest)
      })
    }
  }

  private addFolder (uri: string): void {
    if (this.folders.has(uri)) return
    this.folders.set(uri, [])
    if (!/^skill:\/\/[^/]+$/.test(uri)) {
      this.addFolder(parentOf(uri))
      this.addChild(uri, { uri, name: decodeURIComponent(lastOf(uri)), mimeType: 'inode/directory' })
    }
  }

  private addChild (uri: string, entry: ResourceEntry): void {
    this.folders.get(parentOf(uri))?.push(entry)
  }
}

const parentOf = (uri: string): string => uri.slice(0, uri.lastIndexOf('/'))
const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const MIME_TYPES: Readonly<Record<string, string>> =
  { '.md': 'text/markdown', '.json': 'application/json', '.png': 'image/png' }

// A byte order mark is part of what the digest covers.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** As text where the bytes are UTF-8, which loses none of them, otherwise in base64. */
const contentsOf = (path: string, bytes: Buffer): Omit<ResourceContents, 'uri'> => {
  const mimeType = MIME_TYPES[extname(path).toLowerCase()]
  try {
    return { mimeType: mimeType ?? 'text/plain', text: utf8.decode(bytes) }
  } catch {
    return { mimeType: mimeType ?? 'application/octet-stream', blob: bytes.toString('base64') }
  }
}

/** Returns the resources with the files of skills, on the last page of the list. Their bytes are served as they are. */
export const withSkillFiles = (resources: ResourceRegistry, { contents, listed }: SkillRegistry): ResourceRegistry => ({
  ...resources,
  isEmpty: false,

  async list (context, cursor) {
    const page = await resources.list(context, cursor)
    return page.next === undefined ? { entries: [...page.entries, ...listed] } : page
  },

  async read (uri, context) {
    const file = contents.get(uri)
    return file ? { contents: [file], ttlMs: 300_000, isShared: true } : resources.read(uri, context)
  },

  async locate (uris, context) {
    const located = await resources.locate(uris, context)
    return located.map((there, index) => there || contents.has(uris[index] ?? ''))
  },

  canonical: (uri) => contents.has(uri) ? uri : resources.canonical(uri)
})
