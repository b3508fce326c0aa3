/** Asks a server what it has in each era, before the official suite asks it for more. */
import { checkPath, checkRedirect } from '../../../agent-setup/doctor/check-address.js'
import { modernRequest } from '../../../agent-setup/doctor/mcp-client.js'
import { createProbe, describe, type Probe } from '../../../agent-setup/doctor/probe.js'
import { LATEST_LEGACY, MODERN_REVISIONS } from '../../../engine/revisions.js'
import { asObject, isObject } from '../../../lib/json/json-object.js'
import { Refusal } from '../../../lib/errors.js'
import { WorkbenchError } from '../../../client-testing/exit-codes.js'
import { openEras, readList, type Era } from '../surface/read-surface.js'
import type { Offer } from './fixture-needs.js'

/** What the server has, by the revision of the suite; a revision that it does not speak is absent. */
export type Offers = Readonly<Partial<Record<string, Offer>>>

/** Returns what the server declares and lists in each era; a list that it does not have, or that fails, is empty. */
export const askServer = async (url: URL, token: string | undefined): Promise<Offers> => {
  const probe = createProbe({ url, token })
  try {
    await requireServer(probe)
    const eras = await openEras(probe)
    const offers: Record<string, Offer> = {}
    for (const era of eras) {
      offers[isModern(era.revision) ? era.revision : LATEST_LEGACY] = await offerOf(probe, era)
    }
    return offers[MODERN_REVISIONS[0]] ? offers : { ...offers, ...await undiscovered(probe) }
  } finally {
    await probe.end()
  }
}

const isModern = (revision: string): boolean => revision === MODERN_REVISIONS[0]

/** A server whose results have the form of 2026-07-28 speaks it, whatever it answers to `server/discover`. */
const undiscovered = async (probe: Probe): Promise<Offers> => {
  const opening = await probe.send(modernRequest('tools/list'))
  return 'status' in opening && opening.message?.result?.['resultType'] !== undefined
    ? { [MODERN_REVISIONS[0]]: await offerOf(probe, { revision: MODERN_REVISIONS[0], opening, make: modernRequest }) }
    : {}
}

const requireServer = async (probe: Probe): Promise<void> => {
  const anonymous = await probe.anonymous()
  if (!('status' in anonymous)) {
    throw new WorkbenchError('no-server', `No server answers at ${probe.url.href}: ${describe(anonymous)}.`)
  }
  for (const check of [checkRedirect, checkPath]) {
    const { status, detail, remedy = '' } = await check(probe)
    if (status === 'failed') {
      throw new WorkbenchError('no-server', `No MCP server answers at ${probe.url.href}: ${detail}. ${remedy}`)
    }
  }
  const answer = await probe.discover()
  if ('status' in answer && answer.status === 401) {
    throw new Refusal('The server needs a valid credential: give one with --token-file or EXPLORATION_MCP_TOKEN.')
  }
}

const offerOf = async (probe: Probe, { revision, opening, make }: Era): Promise<Offer> => {
  const capabilities = 'status' in opening ? opening.message?.result?.['capabilities'] : undefined
  const list = async (kind: string, key: string): Promise<string[]> => {
    const listed = await readList(probe, [`${kind}/list`, kind], false, make).catch(() => undefined)
    return (listed ?? []).flatMap((entry) => isObject(entry) && typeof entry[key] === 'string' ? [entry[key]] : [])
  }
  return {
    capabilities: asObject(capabilities),
    streams: isModern(revision) || (await probe.session())?.id !== undefined,
    tools: await list('tools', 'name'),
    prompts: await list('prompts', 'name'),
    resources: await list('resources', 'uri'),
    skills: await list('skills', 'uri')
  }
}
