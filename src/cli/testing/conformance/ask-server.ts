/** Asks a server what it lists, before the official suite sends it hundreds of requests. */
import { checkPath, checkRedirect } from '../../../agent-setup/doctor/check-address.js'
import { createProbe, describe, succeeded, TIMEOUTS, type Probe } from '../../../agent-setup/doctor/probe.js'
import { isObject } from '../../../lib/json/json-object.js'
import { Refusal } from '../../../lib/errors.js'
import { WorkbenchError } from '../../../client-testing/exit-codes.js'
import type { Offer } from './fixture-needs.js'

/**
 * Returns the first page of each list of the server; a list that the server does not have is empty.
 * @throws {WorkbenchError} when no MCP server answers
 * @throws {Refusal} when the server refuses the credential
 */
export const askServer = async (url: URL, token: string | undefined): Promise<Offer> => {
  const probe = createProbe({ url, token }, TIMEOUTS)
  try {
    await requireServer(probe)
    return {
      tools: await listOf(probe, 'tools', 'name'),
      prompts: await listOf(probe, 'prompts', 'name'),
      resources: await listOf(probe, 'resources', 'uri'),
      skills: await listOf(probe, 'skills', 'uri')
    }
  } finally {
    await probe.end()
  }
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

const listOf = async (probe: Probe, kind: keyof Offer, key: 'name' | 'uri'): Promise<string[]> => {
  const answer = await probe.ask(`${kind}/list`)
  const listed = succeeded(answer) ? answer.message?.result?.[kind] : undefined
  return Array.isArray(listed)
    ? listed.flatMap((entry: unknown) => isObject(entry) && typeof entry[key] === 'string' ? [entry[key]] : [])
    : []
}
