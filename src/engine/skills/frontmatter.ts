/** Reads the YAML at the beginning of a SKILL.md, by the rules of the Agent Skills specification. */
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../lib/json/json-object.js'
import type { SkillFrontmatter } from './skill.js'

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/

/** @throws {Error} when the text has no such YAML, or its name or description breaks the rules */
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
