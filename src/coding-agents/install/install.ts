/** Carries out what was planned: token, credentials file, agents' files, proof. Each is kept before the next begins. */
import { Refusal } from '../../lib/errors.js'
import {
  serverIn, tokenFileOf, tokenIn, writeTokenFile, type CredentialsFile, type StoredToken
} from '../credentials/credentials-file.js'
import { execute, planInstallation, createVerifier, type Installation } from './installation.js'
import type { Verdict } from '../doctor/handshake.js'
import { remoteRevoker, type Issuer } from '../credentials/issuer.js'
import type { Host } from '../host.js'
import type { InstallPlan } from './plan.js'
import { endRetired, retireUnused, type Retired } from '../credentials/retire.js'
import { errorCode } from '../../lib/error-code.js'

export interface InstallStep {
  installation: Installation
  plan: InstallPlan
  /** It has nothing to do with this, and nobody said that it should. */
  skipped: boolean
  backup?: string
  /** Why its file could not be written. */
  failed?: string
  verdict?: Verdict
}

export interface InstallRun {
  url: string
  entries: InstallStep[]
  /** By name; those that are not there yet are made. */
  tokens: Map<string, StoredToken>
  ended?: Retired
  /** Whether a token may be sent in clear to another machine. */
  allowHttp?: boolean | undefined
}

export async function install (
  run: InstallRun, credentials: CredentialsFile, issuer: Issuer, host: Host
): Promise<void> {
  const { entries, tokens } = run
  const doable = entries.filter(({ plan }) => !plan.problem)
  try {
    for (const name of new Set(doable.map(({ installation }) => installation.token))) await provideToken(name, run, credentials, issuer)
  } catch (error) {
    // Those that were given before one was refused are of no use.
    await cleanUp(run, credentials, issuer, host)
    throw error
  }
  for (const entry of doable) await register(entry, credentials, tokens, host)
  const verify = createVerifier(host)
  for (const entry of doable) {
    if (!entry.plan.registration || entry.plan.problem || entry.failed !== undefined) continue
    entry.verdict = await verify(entry.installation.agent, entry.plan.registration, tokens.get(entry.installation.token)!.token)
  }
  await cleanUp(run, credentials, issuer, host)
}

/** A token of that name: in hand, and kept, before it is used. */
async function provideToken (
  name: string, { url, tokens }: InstallRun, credentials: CredentialsFile, issuer: Issuer
): Promise<void> {
  const server = serverIn(credentials.stored, url)
  const old = tokenIn(server.tokens, name)
  const token = tokens.get(name) ?? await issuer.mint(name, old)
  // One that was given takes the place of one that nothing uses.
  if (old && issuer.isSupplied && old.token !== token.token) server.retired.push(old)
  server.tokens[name] = token
  tokens.set(name, token)
  await credentials.save()
}

/** Ends the tokens that nothing uses any more, at this server and at those that agents were with before. */
async function cleanUp (run: InstallRun, credentials: CredentialsFile, issuer: Issuer, host: Host): Promise<void> {
  const suppliedToken = issuer.isSupplied && [...run.tokens.values()][0]?.token
  for (const url of Object.keys(credentials.stored.servers)) {
    await retireUnused(credentials, url, host, suppliedToken)
    const { allowHttp } = run
    const ended = await endRetired(credentials, url, url === run.url
      ? issuer
      : remoteRevoker(new URL(url), {
        own: issuer, allowHttp
      }))
    if (url === run.url) run.ended = ended
  }
}

async function register (
  entry: InstallStep, credentials: CredentialsFile, tokens: ReadonlyMap<string, StoredToken>, host: Host
): Promise<void> {
  const { installation } = entry
  const { token } = tokens.get(installation.token)!
  try {
    if (installation.strategy !== 'token') await writeTokenFile(host, tokenFileOf(host, installation.url, installation.token), token)
    entry.plan = await planInstallation(installation, token, credentials.stored, host)
    if (!entry.plan.problem) Object.assign(entry, await execute(installation, entry.plan, credentials, host))
  } catch (error) {
    entry.failed = wordsOf(error)
  }
}

const wordsOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.message
  const code = errorCode(error)
  if (code !== undefined) return `Its file cannot be written (${code}).`
  throw error
}
