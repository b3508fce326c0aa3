/** Lists skills, gets one, and lists a folder of one: ext-skills stable/skills */
import { Fault } from '../../lib/errors.js'
import { requireOnePage } from './older-revisions.js'
import type { Method } from './method.js'
import { requireUri } from './resources.js'

/** The same for every caller: what a skill says does not depend on a credential. */
const CACHE = { ttlMs: 300_000, scope: 'public' } as const
/** But what the server's hook shows may. */
const OWN_CACHE = { ...CACHE, scope: 'private' } as const

export const listSkills: Method = async ({ cursor }, context, { skills, showEntries }) => {
  requireOnePage(cursor, 'skills')
  const all = [...skills?.skills.values() ?? []]
  if (!showEntries) return { result: { skills: all }, cache: CACHE }
  return { result: { skills: await showEntries('skills/list', all, ({ uri }) => uri, context) }, cache: OWN_CACHE }
}

export const getSkill: Method = async (params, _context, { skills }) => {
  const uri = requireUri(params['uri'])
  const skill = skills?.skills.get(uri)
  if (!skill) throw new Fault('resource_not_found', 'No skill is served at this URI. skills/list shows them.', { uri })
  return { result: { skill }, cache: CACHE }
}

export const readDirectory: Method = async ({ uri: given, cursor }, context, { skills, showEntries }) => {
  const uri = requireUri(given)
  requireOnePage(cursor, 'a directory')
  const resources = skills?.folders.get(uri)
  if (!resources) throw new Fault('resource_not_found', 'There is no directory resource at this URI.', { uri })
  if (!showEntries) return { result: { resources }, cache: CACHE }
  const shown = await showEntries('resources/directory/read', resources, (entry) => entry.uri, context)
  return { result: { resources: shown }, cache: OWN_CACHE }
}
