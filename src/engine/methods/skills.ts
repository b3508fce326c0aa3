/** Lists skills, gets one, and lists a folder of one: ext-skills stable/skills */
import { Fault } from '../../lib/errors.js'
import type { Method } from './method.js'
import { requireUri } from './resources-read.js'

/** The same for every caller: what a skill says does not depend on a credential. */
const CACHE = { ttlMs: 300_000, scope: 'public' } as const

/**
 * Returns all skills on one page, each with all its files.
 * @throws {Fault} `invalid_params` for a cursor
 */
export const listSkills: Method = async ({ cursor }, context, { skills, showEntries }) => {
  if (cursor !== undefined) {
    throw new Fault('invalid_params', 'The list of skills has one page: leave the cursor out.')
  }
  const all = [...skills?.skills.values() ?? []]
  if (!showEntries) return { result: { skills: all }, cache: CACHE }
  const shown = await showEntries('skills/list', all, ({ uri }) => uri, context)
  return { result: { skills: shown }, cache: { ...CACHE, scope: 'private' } }
}

/**
 * Returns the skill whose SKILL.md has this URI.
 * @throws {Fault} `invalid_params` for a malformed URI, `resource_not_found` when there is no such skill
 */
export const getSkill: Method = async (params, _context, { skills }) => {
  const uri = requireUri(params['uri'])
  const skill = skills?.skills.get(uri)
  if (!skill) throw new Fault('resource_not_found', 'No skill is served at this URI. skills/list shows them.', { uri })
  return { result: { skill }, cache: CACHE }
}

/**
 * Returns all direct children of a folder on one page.
 * @throws {Fault} `invalid_params` for a malformed URI or a cursor, `resource_not_found` when it names no folder
 */
export const readDirectory: Method = async ({ uri: given, cursor }, context, { skills, showEntries }) => {
  const uri = requireUri(given)
  if (cursor !== undefined) {
    throw new Fault('invalid_params', 'The list of a directory has one page: leave the cursor out.')
  }
  const resources = skills?.folders.get(uri)
  if (!resources) throw new Fault('resource_not_found', 'There is no directory resource at this URI.', { uri })
  if (!showEntries) return { result: { resources }, cache: CACHE }
  const shown = await showEntries('resources/directory/read', resources, (entry) => entry.uri, context)
  return { result: { resources: shown }, cache: { ...CACHE, scope: 'private' } }
}
