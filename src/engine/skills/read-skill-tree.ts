/** Reads the files of a skill into memory, so that what is served has the digests that were published. */
import { constants } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../lib/json/json-object.js'
import type { SkillFrontmatter } from './skill.js'

/** ext-skills stable/skills#limits */
const MAX_FILES = 512
const MAX_BYTES = 16 * 1024 * 1024
/** A link that took the place of a file since the folder was read is refused with ELOOP. */
const NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/** A skill and those within it. */
export interface SkillTree {
  /** Path segments from the folder that was named to the skill; none when that is the skill itself. */
  segments: readonly string[]
  /** Contents by path from the skill's root, with `/` between segments, in the order of their names. */
  files: ReadonlyMap<string, Buffer>
  /** Paths of its folders from its root; the root is ''. */
  folders: readonly string[]
}

/** `root` is without links. @throws {Error} when it cannot be read, or has a skill over the limits or with a link */
export const readSkillTrees = async (root: string, segments: readonly string[] = []): Promise<SkillTree[]> => {
  const folder = join(root, ...segments)
  const entries = await visibleEntries(folder)
  if (entries.some((entry) => entry.name === 'SKILL.md')) return [{ segments, ...await readFiles(folder) }]
  const trees: SkillTree[] = []
  for (const entry of entries) {
    if (entry.isDirectory()) trees.push(...await readSkillTrees(root, [...segments, entry.name]))
  }
  return trees
}

const visibleEntries = async (folder: string) => (await readdir(folder, { withFileTypes: true }))
  .filter(({ name }) => !name.startsWith('.'))
  .sort((one, other) => one.name < other.name ? -1 : 1)

const readFiles = async (root: string): Promise<Pick<SkillTree, 'files' | 'folders'>> => {
  const files = new Map<string, Buffer>()
  const folders: string[] = []
  let size = 0
  const visit = async (path: string): Promise<void> => {
    folders.push(path)
    for (const entry of await visibleEntries(join(root, path))) {
      const child = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory()) {
        await visit(child)
        continue
      }
      const file = join(root, child)
      if (!entry.isFile()) throw new Error(`${file} is a link or no plain file. A skill has its own files.`)
      size += (await lstat(file)).size
      if (files.size >= MAX_FILES || folders.length > MAX_FILES || size > MAX_BYTES) {
        throw new Error(`The skill in ${root} has more than 512 files, or more than 16 MiB.`)
      }
      files.set(child, await readFile(file, { flag: NO_LINK }))
    }
  }
  await visit('')
  return { files, folders }
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Reads the YAML at the beginning of a SKILL.md, by the rules of the Agent Skills specification.
 * @throws {Error} when the text has no such YAML, or its name or description breaks the rules
 */
export const parseFrontmatter = async (text: string): Promise<SkillFrontmatter> => {
  const [, yaml] = FRONT_MATTER.exec(text) ?? []
  if (yaml === undefined) throw new Error('it begins with no front matter between two lines of ---')
  // Loaded here, as most servers have no skills.
  const { parse } = await import('yaml')
  const value: unknown = parse(yaml, { schema: 'core' })
  if (!isObject(value) || !isDeepStrictEqual(value, JSON.parse(JSON.stringify(value)))) {
    throw new Error('its front matter has no fields, or values that JSON does not have')
  }
  const { name, description } = value
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new Error('its name has 1 to 64 of a–z, 0–9 and single hyphens between them')
  }
  if (typeof description !== 'string' || description.trim() === '' || description.length > 1024) {
    throw new Error('its description has 1 to 1024 characters')
  }
  return { ...value, name, description }
}
