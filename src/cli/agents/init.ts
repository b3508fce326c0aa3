/** `init`: creates and stores a token of this machine, registers the server with its agents, and tests each. */
import { resolve } from 'node:path'
import type { ConfigScope } from '../../agent-setup/registry/agent.js'
import {
  holdCredentials, readCredentials, serverIn, tokenIn, type CredentialsFile, type Stored, type StoredServer,
  type StoredToken
} from '../../agent-setup/credentials/credentials-file.js'
import { install, type InstallStep } from '../../agent-setup/install/install.js'
import {
  findEarlier, installationsOf, isSame, planInstallation, type Installation
} from '../../agent-setup/install/installation.js'
import { PLACEHOLDER_TOKEN } from '../../agent-setup/install/entry-template.js'
import type { Issuer } from '../../agent-setup/credentials/issuer.js'
import { endRetired } from '../../agent-setup/credentials/retire.js'
import { rotate } from '../../agent-setup/credentials/rotation.js'
import { chooseStrategy } from '../../agent-setup/credentials/secret-strategy.js'
import { Refusal } from '../../lib/errors.js'
import { chooseAgents, type Chosen } from './choose-agents.js'
import { requireConsent } from '../confirm.js'
import { report, showPlan, type InitOutcome } from './init-report.js'
import { resolveServer, type ResolvedServer } from './resolve-server.js'
import type { CliContext, CommandHandler } from '../cli-context.js'

export interface InitOptions {
  agent?: string[]
  scope: ConfigScope
  name: string
  yes?: true
  dryRun?: true
  url?: string
  tokenFile?: string
  user?: string
  perAgent?: boolean
  reference?: boolean
  rotate?: true
  allowHttp?: true
  browser?: boolean
}

type InitRequest = InitOptions & { json: boolean }
type Tokens = Map<string, StoredToken>

export const init: CommandHandler<InitOptions> = async (options, context, flags) => {
  requireConsistentOptions(options)
  const stored = await readCredentials(context.host)
  const stop = new AbortController()
  const server = await resolveServer(options, context, flags, stored, stop.signal)
  const url = server.url.href
  if (options.rotate) return renew(options, context, server, stored, stop)

  const storedServer = stored.servers[url]
  if (Object.keys(storedServer?.next ?? {}).length > 0) {
    throw new Refusal('A rotation was interrupted: finish it with init --rotate first.')
  }
  const chosen = chooseAgents(options.agent, context.host)
  const installations = installationsFor(options, context, url, chosen, stored)
  const tokens = await usable(installations, storedServer, server.issuer, options.user)
  // Other agents that use a token which no longer works get the new one too.
  for (const installation of storedServer ? installationsOf(storedServer) : []) {
    const needsToken = installations.some((one) => one.token === installation.token && !tokens.has(one.token))
    if (needsToken && !installations.some((one) => isSame(one, installation))) installations.push(installation)
  }
  const entries = await planned(installations, tokens, stored, chosen, context)
  const changes = entries.filter(({ plan }) => plan.diff !== '' || plan.exposed)
  const { dryRun = false, allowHttp } = options
  const outcome: InitOutcome = { url, entries, chosen, tokens, dryRun, local: server.local, allowHttp }
  if (!options.json) {
    const fresh = [...new Set(
      changes.map(({ installation }) => installation.token)
    )].filter((name) => !tokens.has(name))
    const owner = fresh.length > 0 ? await server.issuer.owner() : undefined
    showPlan(context, entries, fresh.map((name) => `the token ${name}${owner === undefined ? '' : ` of ${owner}`}`))
  }
  await carryOut(options, context, outcome, changes.length, stop,
    (credentials) => install(outcome, credentials, server.issuer, context.host))
}

/** Asks, does the work while no other process changes the credentials, and reports. */
async function carryOut (
  options: InitRequest, context: CliContext, outcome: InitOutcome, files: number, stop: AbortController,
  work: (credentials: CredentialsFile) => Promise<void>
): Promise<void> {
  if (options.dryRun) return report(options, context, outcome)
  if (files > 0 && !options.yes) {
    await requireConsent(context, `Change ${files === 1 ? 'this file' : `these ${files} files`}?`)
  }
  context.onStop(() => stop.abort())
  const credentials = await holdCredentials(context.host)
  try {
    await work(credentials)
  } finally {
    await credentials.release()
  }
  report(options, context, outcome)
}

function requireConsistentOptions ({ rotate, agent, tokenFile, perAgent, json, yes, dryRun, name }: InitRequest): void {
  if (rotate && agent) throw new Refusal('A rotation changes every agent that uses the token: leave --agent out.')
  if (tokenFile !== undefined && perAgent) {
    throw new Refusal('--per-agent makes a token for each agent: leave --token-file out.')
  }
  if (json && !yes && !dryRun) {
    throw new Refusal('--json cannot ask for confirmation: add --yes, or --dry-run to see what would change.')
  }
  if (name.toLowerCase() === 'workspace') {
    throw new Refusal('Some agents reserve the name "workspace": choose another.')
  }
}

/** An option that is not given keeps the value of an earlier init. */
function installationsFor (
  options: InitOptions, { host }: CliContext, url: string, { agents }: Chosen, stored: Stored
): Installation[] {
  const { scope, name, perAgent, reference } = options
  // The network may set the host name. It becomes the name of a token and part of a file name.
  const hostname = host.hostname.slice(0, 100).replaceAll(/[^\w.-]/g, '-')
  return agents.map((agent) => {
    const place = { agent, name, url, scope, projectFolder: resolve(host.folder) }
    const earlier = findEarlier(stored, place)
    return {
      ...place,
      strategy: reference === undefined && earlier
        ? earlier.registration.secret
        : chooseStrategy(agent, scope, reference === true),
      token: perAgent === undefined && earlier?.url === url
        ? earlier.token
        : perAgent ? `${agent.id}@${hostname}` : hostname
    }
  })
}

/** Returns the given token and the stored ones that work: those that the server does not refuse. */
async function usable (
  installations: readonly Installation[], storedServer: StoredServer | undefined, issuer: Issuer, user?: string
): Promise<Tokens> {
  const tokens: Tokens = new Map()
  const owner = user === undefined ? undefined : await issuer.owner()
  for (const name of new Set(installations.map(({ token }) => token))) {
    const old = tokenIn(storedServer?.tokens ?? {}, name)
    const expired = Date.parse(old?.expires_at ?? '9999-12-31') <= Date.now()
    const works = old !== undefined && !expired && await issuer.works(old) !== false
    const minted = issuer.isSupplied && await issuer.mint(name)
    if (minted && works && minted.token !== old.token &&
      storedServer?.registrations.some(({ token }) => token === name)) {
      throw new Refusal(
        'Agents on this machine use another token of this server: put this one in its place with init --rotate ' +
        '--token-file.'
      )
    }
    if (works && owner !== undefined && old.user !== owner) {
      throw new Refusal(
        `The token that this machine has belongs to ${old.user ?? 'someone else'}: put one of ${owner} in its place ` +
        'with init --rotate --user.'
      )
    }
    const token = minted || (works ? old : undefined)
    if (token) tokens.set(name, token)
  }
  return tokens
}

async function planned (
  installations: readonly Installation[], tokens: ReadonlyMap<string, StoredToken>, stored: Stored, { named }: Chosen,
  { host }: CliContext
): Promise<InstallStep[]> {
  const entries: InstallStep[] = []
  for (const installation of installations) {
    const plan = await planInstallation(
      installation, tokens.get(installation.token)?.token ?? PLACEHOLDER_TOKEN, stored, host
    )
    // An agent without project settings is no failure unless the user named it.
    entries.push({ installation, plan, skipped: !named && plan.problem?.reason === 'unsupported' })
  }
  return entries
}

async function renew (
  options: InitRequest, context: CliContext, server: ResolvedServer, stored: Stored, stop: AbortController
): Promise<void> {
  const { host } = context
  const { url: { href: url }, issuer } = server
  const storedServer = stored.servers[url]
  if (!storedServer || storedServer.registrations.length === 0) {
    throw new Refusal('There is nothing to rotate for this server: run init first.')
  }
  if (issuer.isSupplied) await requireOther(issuer, storedServer)
  const chosen: Chosen = { agents: [], instructed: [], named: true }
  const entries = await planned(installationsOf(storedServer), new Map(), stored, chosen, context)
  const names = Object.keys(storedServer.tokens)
  if (!options.json) showPlan(context, entries, names.map((name) => `a new token ${name} instead of the old one`))
  const tokens: Tokens = new Map(Object.entries(storedServer.tokens))
  const outcome: InitOutcome = { url, entries, chosen, tokens, dryRun: options.dryRun === true, local: false }
  await carryOut(options, context, outcome, entries.length, stop, async (credentials) => {
    const rotated = await rotate({ url, credentials, issuer, host })
    for (const [index, entry] of entries.entries()) Object.assign(entry, rotated[index])
    outcome.tokens = new Map(Object.entries(serverIn(credentials.stored, url).tokens))
    outcome.ended = await endRetired(credentials, url, issuer)
  })
}

async function requireOther (issuer: Issuer, { tokens }: StoredServer): Promise<void> {
  if (Object.keys(tokens).length > 1) {
    throw new Refusal('Each agent has a token of its own here: rotate without --token-file.')
  }
  const { token } = await issuer.mint('')
  if (Object.values(tokens).some((old) => old.token === token)) {
    throw new Refusal('The agents use this very token already.')
  }
}
