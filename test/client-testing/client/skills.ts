/** Loads each skill of the server and the first file that it refers to, as a correct host does: SEP-2640. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import type { Client, Json } from './client.js'
import type { Has } from './defects.js'

export const loadSkills = async (client: Client, has: Has, stdout: string[]): Promise<void> => {
  const { skills } = await client.request('skills/list')
  for (const skill of skills) await load(client, skill, has, stdout)
}

const load = async (client: Client, { uri, frontmatter, resources }: Json, has: Has, stdout: string[]): Promise<void> => {
  const root = uri.slice(0, -'SKILL.md'.length)
  const isInside = (file: string): boolean => file.startsWith(root) && new URL(file).href === file
  if (!has('lenient') && !resources.every((file: Json) => isInside(file['uri']))) throw new Error('a file is outside of the skill')
  if (has('readsAhead')) for (const file of resources) await client.request('resources/read', { uri: file.uri })
  const text = await read(client, resources, uri, has)
  const written: unknown = parse(/^---\n([^]*?)\n---\n/.exec(text)?.[1] ?? '')
  if (!has('lenient') && !isDeepStrictEqual(written, frontmatter)) throw new Error('the front matter is another one')
  stdout.push(text)
  const [, path] = /\]\(([\w/]+\.md)\)/.exec(text) ?? []
  if (path !== undefined) stdout.push(await read(client, resources, `${root}${path}`, has))
}

const read = async (client: Client, files: Json[], uri: string, has: Has): Promise<string> => {
  const file = files.find((one) => one['uri'] === uri)
  if (!file) throw new Error('the file is not in the manifest')
  const { contents: [{ text }] } = await client.request('resources/read', { uri })
  if (Buffer.byteLength(text) !== file['size'] && !has('lenient')) throw new Error('the size is another one')
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
  if (digest !== file['digest'] && !has('lenient')) throw new Error('the digest is another one')
  return text
}
