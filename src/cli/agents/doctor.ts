/** `doctor`: checks the connection from this machine to a server; a line for each check, with its remedy. */
import { checkCredential } from '../../agent-setup/credentials/check-credential.js'
import { checkRegistrations } from '../../agent-setup/doctor/check-registrations.js'
import { readCredentials, type Stored, type StoredServer } from '../../agent-setup/credentials/credentials-file.js'
import { runChecks } from '../../agent-setup/doctor/run-checks.js'
import { failed, skipped, type NamedCheck } from '../../agent-setup/doctor/finding.js'
import { runOAuthChecks } from '../../agent-setup/doctor/oauth/run-oauth-checks.js'
import {
  isOAuthAddress, keysAddressOf, oauthAddressOf, sameEndpoint
} from '../../agent-setup/registry/endpoint-address.js'
import { VARIABLE } from '../../agent-setup/credentials/secret-strategy.js'
import { readConfig, type Flags } from '../../config/config.js'
import { kindOf } from '../../access/credentials/credential-form.js'
import { Refusal, requireRefusal } from '../../lib/errors.js'
import { redactUrl } from '../../lib/redact/redact-headers.js'
import { createRedactor } from '../../client-testing/redact.js'
import { createCheck, failuresFor } from '../../client-testing/reports/report.js'
import { socketIn } from '../../server/data-folder.js'
import { readText } from '../credentials/read-token.js'
import { stripControlChars, print } from '../print/print.js'
import { fileReport, openReportTarget, type ReportContent, type ReportOptions } from '../testing/deliver-report.js'
import { checkPlatform, checkSearchIndex } from './check-own-server.js'
import { endpointAt, localServerUrl } from '../local-server-url.js'
import type { CliContext, CommandHandler } from '../cli-context.js'
import { baseOf } from '../../http/server-address.js'

interface DoctorOptions extends Pick<ReportOptions, 'report' | 'baseline'> {
  url?: string
  oauthUrl?: string
  tokenFile?: string
  allowHttp?: true
}

interface ServerCheck extends NamedCheck { server: string }

const MARKS = { passed: '✔', warning: '!', failed: '✖', skipped: '–' }

export const doctor: CommandHandler<DoctorOptions> = async (
  { url: named, oauthUrl, tokenFile, allowHttp = false, report, baseline, json }, context, flags
) => {
  const target = await openReportTarget({ report, baseline })
  const given = named === undefined ? undefined : endpointAt(named)
  const address = given && keysAddressOf(given)
  const oauth = oauthUrl !== undefined ? endpointAt(oauthUrl) : given && isOAuthAddress(given) ? given : undefined
  const { env, stdin } = context
  const namedUrl = tokenFile === undefined ? env[VARIABLE]?.trim() || undefined : await readText(tokenFile, stdin)
  const { stored, unreadable } = await credentials(context)
  const here = await localServerUrl(context, flags).catch((error: unknown) => {
    requireRefusal(error)
    return undefined
  })
  const socket = socketIn(readConfig(env, flags).dataDir)

  const checks: Array<ServerCheck & { ok: boolean }> = []
  for (const url of address ? [address] : serversIn(stored, here, context, flags)) {
    if (!json) context.stdout.write(`${stripControlChars(url.href)}\n`)
    const local = here && sameEndpoint(here, url) ? socket : undefined
    const storedServer = Object.entries(stored.servers).find(([href]) => sameEndpoint(new URL(href), url))?.[1]
    for await (const check of checksOf(
      { url, oauth, given: namedUrl, stored: storedServer, local, allowHttp }, context, unreadable
    )) {
      checks.push({ server: url.href, ...check, ok: check.status !== 'failed' })
      if (!json) context.stdout.write(`${lineOf(check)}\n`)
    }
  }
  const secrets = [namedUrl, ...Object.values(stored.servers).flatMap(({ tokens }) =>
    Object.values(tokens).map(({ token }) => token))].filter((secret) => secret !== undefined)
  const final = await fileReport(doctorReport(checks, secrets), target)
  const count = failuresFor(final, 'must').length
  if (json) print({ ...context, json }, { ok: count === 0, checks }, '')
  if (count > 0) throw new Refusal(count === 1 ? 'One check failed.' : `${count} checks failed.`)
}

interface DoctorTarget {
  url: URL
  oauth: URL | undefined
  /** The text that was given as the credential, unchecked. */
  given: string | undefined
  stored: StoredServer | undefined
  /** The management socket, when the server runs on this machine. */
  local: string | undefined
  allowHttp: boolean
}

async function * checksOf (
  { url, oauth, given, stored, local, allowHttp }: DoctorTarget, { host }: CliContext,
  unreadable: NamedCheck | undefined
): AsyncGenerator<NamedCheck> {
  if (unreadable) yield unreadable
  const text = given ?? anyToken(stored)
  yield { name: 'credential', ...checkCredential(text) }
  let reachable = false
  for await (const check of runChecks({ url, token: kindOf(text) && text }, { allowHttp })) {
    if (check.name === 'path') reachable = check.status === 'passed' || check.status === 'warning'
    yield check
  }
  if (reachable) {
    const derived = oauthAddressOf(url.href)
    const address = oauth ?? (derived === undefined ? undefined : new URL(derived))
    if (address) yield * runOAuthChecks({ url: address, given: oauth !== undefined, keys: url })
  }
  yield * checkRegistrations({ url, host, folder: host.folder, stored, reachable })
  yield { name: 'platform', ...reachable ? await checkPlatform(url) : skipped('needs path') }
  yield {
    name: 'search index',
    ...local === undefined ? skipped('checked only on the machine of the server') : await checkSearchIndex(local)
  }
}

const credentials = async ({ host }: CliContext): Promise<{ stored: Stored, unreadable?: NamedCheck }> => {
  try {
    return { stored: await readCredentials(host) }
  } catch (error) {
    const unreadable = { name: 'credentials file', ...failed('it is not used', requireRefusal(error).message) }
    return { stored: { version: 1, servers: {} }, unreadable }
  }
}

/** The servers that init stored; else the server of this machine, at its configured address when it is not running. */
const serversIn = ({ servers }: Stored, here: URL | undefined, { env }: CliContext, flags: Flags): URL[] => {
  const urls = Object.keys(servers)
  if (urls.length > 0) return urls.map((href) => new URL(href))
  const { host, port, publicUrl } = readConfig(env, flags)
  return [here ?? endpointAt(`${publicUrl ?? baseOf(host, port)}/mcp`)]
}

const anyToken = (stored: StoredServer | undefined): string | undefined => Object.values(stored?.tokens ?? {})[0]?.token

const lineOf = ({ name, status, detail, remedy }: NamedCheck): string =>
  stripControlChars(`${MARKS[status]} ${name}: ${detail}${remedy === undefined ? '' : ` → ${remedy}`}`)

const STATUS = { passed: 'passed', warning: 'failed', failed: 'failed', skipped: 'not-exercised' } as const

/** A warning is a failure of level SHOULD, which does not count for the exit code. */
const doctorReport = (checks: readonly ServerCheck[], secrets: readonly string[]): ReportContent => {
  const redactor = createRedactor(secrets)
  const groupOf = (server: string): string => redactor.text(redactUrl(server))
  return {
    command: 'doctor',
    subject: [...new Set(checks.map(({ server }) => groupOf(server)))].join(', ') || 'this machine',
    checks: checks.map(({ name, server, status, detail, remedy }) => createCheck({
      id: redactor.text(name),
      group: groupOf(server),
      title: `The check of ${redactor.text(name)}`,
      level: status === 'warning' ? 'SHOULD' : 'MUST',
      status: STATUS[status],
      outcome: status,
      detail: redactor.text(remedy === undefined ? detail : `${detail}\nRemedy: ${remedy}`)
    }))
  }
}
