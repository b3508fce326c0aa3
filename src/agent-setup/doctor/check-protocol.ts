/** Checks that the server accepts the credential and speaks both eras of the protocol, through every proxy between. */
import { MODERN_REVISIONS, LEGACY_REVISIONS } from '../../engine/revisions.js'
import { SERVER } from '../../config/server-info.js'
import { asObject } from '../../lib/json/json-object.js'
import { failed, passed, skipped, warning, type CheckResult } from './finding.js'
import { modernRequest, type McpAnswer } from './mcp-client.js'
import { shownText } from '../server-text.js'
import { remedyFor, succeeded, describe, type ProbeOutcome, type Probe } from './probe.js'
import { commandLine } from '../../lib/text/command-line.js'

export const checkAuthentication = async (probe: Probe): Promise<CheckResult> => {
  const anonymous = await probe.anonymous()
  if (succeeded(anonymous)) {
    return failed('the server answers without a credential: anyone can read what it has',
      'Remove what admits callers, such as a proxy that adds a credential of its own.')
  }
  if (probe.token === undefined) {
    return failed('there is no credential to try',
      'Give one with --token-file or EXPLORATION_MCP_TOKEN, ' +
      `or have one created and registered: ${commandLine('init')}`)
  }
  const answer = await probe.discover()
  if (!('status' in answer)) return failed(describe(answer), remedyFor(answer))
  if (answer.status !== 401) {
    const end = answer.header('credential-expires')
    return end === undefined
      ? passed('the credential is accepted')
      : warning(`the credential is accepted until ${shownText(end, 40)}`,
        `Replace it in time: ${commandLine('init --rotate')}, or keys create and tokens create.`)
  }
  if (/^basic/i.test(answer.header('www-authenticate') ?? '')) {
    return failed('HTTP 401 of a proxy that wants a password',
      'Let the path of the endpoint through without the proxy\'s own login: the server asks for its own credential.')
  }
  const { reason, hint } = answer.message?.error?.data ?? {}
  return reason === 'missing'
    ? failed('the server saw no Authorization header',
      'A proxy on the way removes it: let it through (nginx: proxy_set_header Authorization $http_authorization; ' +
      'Apache: CGIPassAuth On).')
    : failed(`HTTP 401${typeof reason === 'string' ? `, ${shownText(reason, 50)}` : ''}`, shownText(hint, 500) ??
      'Give a credential that is whole, unrevoked, unexpired and of this deployment.')
}

export const checkAccept = async (probe: Probe): Promise<CheckResult> => {
  const both = await probe.discover()
  if ('status' in both && both.status === 406) {
    return failed('HTTP 406 to a request that accepts both media types',
      'A proxy changes the Accept header: let "application/json, text/event-stream" through as it is.')
  }
  const request = modernRequest('server/discover')
  const narrow = await probe.send({ ...request, headers: { ...request.headers, accept: 'application/json' } })
  return passed('status' in narrow && narrow.status === 406
    ? 'both media types arrive, one alone is refused with 406'
    : 'both media types arrive, one alone is enough here')
}

export const checkModern = async (probe: Probe): Promise<CheckResult> => {
  const answer = await probe.discover()
  if (succeeded(answer)) {
    const versions = answer.message?.result?.['supportedVersions']
    const modernRevisions: readonly unknown[] = MODERN_REVISIONS
    return passed(Array.isArray(versions)
      ? `served: ${versions.filter((version) => modernRevisions.includes(version)).join(', ')}`
      : 'served')
  }
  if (isOff(answer, MODERN_REVISIONS)) return skipped('this server does not serve it (--revisions)')
  return errorOf(answer)?.code === -32020
    ? failed(describe(answer),
      'A proxy removes headers: let MCP-Protocol-Version and all that begin with Mcp- through.')
    : failed(describe(answer), remedyFor(answer))
}

export const checkLegacy = async (probe: Probe): Promise<CheckResult> => {
  const answer = await probe.initialize()
  if (succeeded(answer)) {
    const sessions = (await probe.session())?.id === undefined ? ', without sessions' : ''
    return passed(`served: ${shownText(answer.message?.result?.['protocolVersion'], 40) ?? 'no revision'}${sessions}`)
  }
  if (isOff(answer, LEGACY_REVISIONS)) return skipped('this server does not serve it (--revisions)')
  return failed(describe(answer), remedyFor(answer))
}

/** A server that does not serve an era answers with the revisions that it supports instead. */
const isOff = (answer: ProbeOutcome, revisions: readonly unknown[]): boolean => {
  const supported = errorOf(answer)?.data?.['supported']
  return Array.isArray(supported) && !supported.some((revision) => revisions.includes(revision))
}

const errorOf = (answer: ProbeOutcome) => 'status' in answer ? answer.message?.error : undefined

const callOf = (probe: Probe, name: string): Promise<ProbeOutcome> => probe.ask('tools/call', { name, arguments: {} })

export const checkWorkspaces = async (probe: Probe): Promise<CheckResult> => {
  const answer = await callOf(probe, 'list_workspaces')
  const found = succeeded(answer) ? answer.message?.result?.['structuredContent'] : undefined
  const { workspaces, next_cursor: more } = asObject(found)
  if (!Array.isArray(workspaces)) return failed(describe(answer), remedyFor(answer))
  return workspaces.length === 0
    ? failed('the credential can see none',
      `Make its user a member (${commandLine('members add --user … --workspace … --role viewer')}), ` +
      'or use a key that is not limited to other workspaces.')
    : passed(`${workspaces.length}${more === undefined ? '' : ' or more'} visible`)
}

const LITTLE = 0.1

export const checkLimits = async (probe: Probe): Promise<CheckResult> => {
  const answer = await callOf(probe, 'ping')
  if (!succeeded(answer)) return failed(describe(answer), remedyFor(answer))
  const windows = windowsIn(answer)
  if (windows.length === 0) return skipped('the answers name no limits')
  const detail = windows.map(({ name, left, limit }) => `${left} of ${limit} a ${name}`).join(', ')
  return windows.some(({ left, limit }) => left < limit * LITTLE)
    ? warning(`${detail} are left`,
      'Give each agent a credential of its own, or raise the limit of this one (RATE_LIMIT_…).')
    : passed(`${detail} are left`)
}

/** draft-ietf-httpapi-ratelimit-headers: `"minute";q=120;w=60`, `"minute";r=119;t=60` */
const windowsIn = (answer: McpAnswer): Array<{ name: string, left: number, limit: number }> => {
  const read = (header: string, field: string): Map<string, number> => {
    const fields = (answer.header(header) ?? '').matchAll(new RegExp(`"(\\w+)"[^,]*;${field}=(\\d+)`, 'g'))
    return new Map([...fields].map(([, name = '', value]) => [name, Number(value)]))
  }
  const limits = read('ratelimit-policy', 'q')
  return [...read('ratelimit', 'r')].flatMap(([name, left]) => {
    const limit = limits.get(name)
    return limit === undefined ? [] : [{ name, left, limit }]
  })
}

const MAX_SKEW_S = 60

export const checkClock = async (probe: Probe): Promise<CheckResult> => {
  const answer = await probe.anonymous()
  const date = 'status' in answer ? Date.parse(answer.header('date') ?? '') : NaN
  if (!('status' in answer) || Number.isNaN(date)) return skipped('the answers have no date')
  const seconds = Math.round((date - answer.at) / 1000)
  return Math.abs(seconds) <= MAX_SKEW_S
    ? passed('the server and this machine agree')
    : failed(`the server is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`,
      'Set the clock that is wrong by NTP: credentials and certificates end by the clock.')
}

export const checkVersion = async (probe: Probe): Promise<CheckResult> => {
  const modern = await probe.discover()
  const legacy = succeeded(modern) ? undefined : await probe.initialize()
  const { name, version } = asObject(succeeded(modern)
    ? asObject(modern.message?.result?.['_meta'])['io.modelcontextprotocol/serverInfo']
    : legacy && succeeded(legacy) && legacy.message?.result?.['serverInfo'])
  if (typeof version !== 'string') return skipped('the server does not say')
  const serverLabel = `${shownText(name, 100) ?? 'unnamed'} ${shownText(version, 100)}`
  return name === SERVER.name && version !== SERVER.version
    ? warning(`${serverLabel}, this command is of ${SERVER.version}`, 'Bring both to the same version.')
    : passed(serverLabel)
}
