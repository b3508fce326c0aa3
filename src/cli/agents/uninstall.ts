/** `uninstall`: removes exactly what `init` wrote into the files of the agents, and revokes the token. */
import { apply, failedPlan } from '../../agent-setup/install/apply.js'
import {
  credentialsPath, holdCredentials, readCredentials, serverIn, type CredentialsFile, type Stored
} from '../../agent-setup/credentials/credentials-file.js'
import { mask } from '../../agent-setup/config-files/diff.js'
import { agentOf, forget } from '../../agent-setup/install/installation.js'
import { remoteRevoker } from '../../agent-setup/credentials/issuer.js'
import { planRemoval, type InstallPlan } from '../../agent-setup/install/plan.js'
import type { Registration } from '../../agent-setup/install/edit-entry.js'
import { endRetired, retireUnused, type Retired } from '../../agent-setup/credentials/retire.js'
import { sameEndpoint } from '../../agent-setup/registry/endpoint-address.js'
import type { Flags } from '../../config/config.js'
import { Refusal } from '../../lib/errors.js'
import { agentNames } from './choose-agents.js'
import { requireConsent } from '../confirm.js'
import { localIssuer } from './local-issuer.js'
import { stripControlCharsKeepLines, print } from '../print/print.js'
import { endpointAt, localServerUrl } from '../local-server-url.js'
import type { CliContext, CommandHandler } from '../cli-context.js'

interface UninstallOptions {
  agent?: string[]
  url?: string
  keepToken?: true
  dryRun?: true
  yes?: true
  allowHttp?: true
}

interface Removal { url: string, registration: Registration, plan: InstallPlan }

export const uninstall: CommandHandler<UninstallOptions> = async (options, context, flags) => {
  const { json, agent: agents, url, keepToken, dryRun, yes } = options
  const { host, stdout } = context
  if (json && !yes && !dryRun) {
    throw new Refusal('--json cannot ask for confirmation: add --yes, or --dry-run to see what would change.')
  }
  const named = agents && agentNames(agents)
  const only = url === undefined ? undefined : endpointAt(url)
  const isSelected = (one: string): boolean => only === undefined || sameEndpoint(new URL(one), only)

  const stored = await readCredentials(host)
  const urls = Object.keys(stored.servers).filter(isSelected)
  const removals = await planned(stored, urls, named, context)
  if (urls.length === 0 || (named && removals.length === 0)) {
    return print({ ...context, json }, { agents: [], revoked: [] }, 'There is nothing to undo.')
  }
  const secrets = urls.flatMap((one) => Object.values(stored.servers[one]?.tokens ?? {}).map(({ token }) => token))
  for (const { plan } of json ? [] : removals) {
    if (plan.diff !== '') stdout.write(`${stripControlCharsKeepLines(mask(plan.diff, secrets))}\n`)
  }
  if (dryRun) return report(options, context, { removals, ended: [], secrets })
  if (!yes) {
    await requireConsent(context, `Remove this${keepToken ? '' : ' and revoke the tokens that are no longer used'}?`)
  }

  const credentials = await holdCredentials(host)
  try {
    // The last first: a folder goes when what was put into it later is gone.
    for (const removal of removals.toReversed()) await remove(removal, credentials, context)
    const ended: Retired[] = []
    for (const one of keepToken ? [] : urls) {
      await retireUnused(credentials, one, host)
      ended.push(await endRetired(credentials, one, await revokerAt(one, context, flags, options.allowHttp)))
    }
    return report(options, context, { removals, ended, secrets })
  } finally {
    await credentials.release()
  }
}

async function planned (
  { servers }: Stored, urls: readonly string[], named: readonly string[] | undefined, { host }: CliContext
): Promise<Removal[]> {
  const removals: Removal[] = []
  for (const url of urls) {
    for (const { registration } of servers[url]?.registrations ?? []) {
      if (named && !named.includes(registration.agent)) continue
      removals.push({ url, registration, plan: await planRemoval(agentOf(registration.agent), registration, host) })
    }
  }
  return removals
}

async function remove (removal: Removal, credentials: CredentialsFile, { host }: CliContext): Promise<void> {
  const { url, registration: { agent, file, name } } = removal
  const { registrations } = serverIn(credentials.stored, url)
  const recorded = registrations.find(({ registration: one }) =>
    one.agent === agent && one.file === file && one.name === name)
  if (!recorded) return
  try {
    removal.plan = await planRemoval(agentOf(agent), recorded.registration, host)
    if (!removal.plan.problem) await apply(removal.plan, host.fileSystem)
    // An entry that the user changed is no longer removed by uninstall.
    if (!removal.plan.problem || removal.plan.problem.reason === 'changed') {
      forget(credentials.stored, url, recorded.registration)
    }
    await credentials.save()
  } catch (error) {
    removal.plan = failedPlan(removal.plan, error)
  }
}

const revokerAt = async (url: string, context: CliContext, flags: Flags, allowHttp: boolean | undefined) => {
  const endpoint = new URL(url)
  const here = await localServerUrl(context, flags).catch(() => undefined)
  const own = here && localIssuer(endpoint, context, flags)
  return own && sameEndpoint(here, endpoint) ? own : remoteRevoker(endpoint, { own, allowHttp })
}

interface UninstallOutcome { removals: readonly Removal[], ended: readonly Retired[], secrets: readonly string[] }

function report (
  { json, dryRun }: UninstallOptions & { json: boolean },
  context: CliContext,
  { removals, ended, secrets }: UninstallOutcome
): void {
  const revoked = ended.flatMap((one) => one.revoked)
  const path = credentialsPath(context.host)
  const stubborn = ended.flatMap((one) => one.failed)
  print({ ...context, json }, {
    dry_run: dryRun === true,
    agents: removals.map(({ url, registration: { agent, name, scope }, plan }) => ({
      agent,
      entry: name,
      url,
      scope,
      file: plan.file,
      change: plan.problem
        ? 'refused'
        : plan.after === undefined ? 'deleted' : plan.diff === '' ? 'unchanged' : 'changed',
      diff: mask(plan.diff, secrets),
      ...plan.problem && { problem: plan.problem.message }
    })),
    revoked,
    not_revoked: stubborn
  }, [
    ...removals.map(({ registration: { agent }, plan: { problem, file } }) => problem
      ? `✖ ${agentOf(agent).name}: ${problem.message}`
      : `${dryRun ? '–' : '✔'} ${agentOf(agent).name}: ${file}`),
    ...revoked.map((id) => `✔ The token ${id} is revoked.`),
    ...stubborn.map(({ id, reason }) =>
      `✖ The token ${id} still works: ${reason} Run uninstall again; ` +
        `if that server no longer exists, delete ${path}.`),
    ...dryRun ? ['Nothing was changed: this is what it would do.'] : []
  ].map(stripControlCharsKeepLines).join('\n'))
  const problems = removals.filter(({ plan }) => plan.problem).length + stubborn.length
  if (problems > 0 && !dryRun) {
    throw new Refusal('Not everything could be undone: see the failures above.')
  }
}
