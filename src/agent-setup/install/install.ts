/** Carries out the plans: tokens, credentials file, agents' files, tests. Each step is stored before the next one. */
import {
  serverIn, tokenIn, tokenTextIn, type CredentialsFile, type StoredToken
} from '../credentials/credentials-file.js'
import { failedPlan } from './apply.js'
import { execute, createVerifier, type Installation } from './installation.js'
import type { Verdict } from '../doctor/handshake.js'
import { remoteRevoker, type Issuer } from '../credentials/issuer.js'
import type { Host } from '../file-system.js'
import type { InstallPlan } from './plan.js'
import { endRetired, retireUnused, type Retired } from '../credentials/retire.js'

export interface InstallStep {
  installation: Installation
  plan: InstallPlan
  /** The agent cannot take part, and was not named by the user. */
  skipped: boolean
  backup?: string | undefined
  verdict?: Verdict
}

export interface InstallRun {
  url: string
  entries: InstallStep[]
  /** By name; missing ones are created. */
  tokens: Map<string, StoredToken>
  ended?: Retired
  /** Whether a token may be sent over plain HTTP to another machine. */
  allowHttp?: boolean | undefined
}

/** Creates the tokens, writes the entries and tests them; sets the problem, `verdict` and `backup` of each step. */
export async function install (
  run: InstallRun, credentials: CredentialsFile, issuer: Issuer, host: Host
): Promise<void> {
  const { entries, url } = run
  const doable = entries.filter(({ plan }) => !plan.problem)
  try {
    const names = new Set(doable.map(({ installation }) => installation.token))
    for (const name of names) await provideToken(name, run, credentials, issuer)
  } catch (error) {
    // Tokens that were created before the failure are not needed.
    await cleanUp(run, credentials, issuer, host)
    throw error
  }
  const { tokens } = serverIn(credentials.stored, url)
  for (const entry of doable) await register(entry, tokenTextIn(tokens, entry.installation.token), credentials, host)
  const verify = createVerifier(host)
  for (const entry of doable) {
    const { installation: { agent, token: name }, plan } = entry
    if (!plan.registration || plan.problem) continue
    entry.verdict = await verify(agent, plan.registration, tokenTextIn(tokens, name))
  }
  await cleanUp(run, credentials, issuer, host)
}

async function provideToken (
  name: string, { url, tokens }: InstallRun, credentials: CredentialsFile, issuer: Issuer
): Promise<void> {
  const server = serverIn(credentials.stored, url)
  const old = tokenIn(server.tokens, name)
  const token = tokens.get(name) ?? await issuer.mint(name, old)
  // A supplied token replaces one that no other entry uses.
  if (old && issuer.isSupplied && old.token !== token.token) server.retired.push(old)
  server.tokens[name] = token
  tokens.set(name, token)
  await credentials.save()
}

/** Revokes the tokens that no entry uses any more, at this server and at those that the agents used before. */
async function cleanUp (run: InstallRun, credentials: CredentialsFile, issuer: Issuer, host: Host): Promise<void> {
  const suppliedToken = issuer.isSupplied && [...run.tokens.values()][0]?.token
  for (const url of Object.keys(credentials.stored.servers)) {
    await retireUnused(credentials, url, host, suppliedToken)
    const revoker = url === run.url ? issuer : remoteRevoker(new URL(url), { own: issuer, allowHttp: run.allowHttp })
    const ended = await endRetired(credentials, url, revoker)
    if (url === run.url) run.ended = ended
  }
}

async function register (
  entry: InstallStep, token: string, credentials: CredentialsFile, host: Host
): Promise<void> {
  try {
    Object.assign(entry, await execute(entry.installation, token, credentials, host))
  } catch (error) {
    entry.plan = failedPlan(entry.plan, error)
  }
}
