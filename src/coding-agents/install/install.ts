/** Carries out what was planned: token, credentials file, agents' files, proof. Each is kept before the next begins. */
import { Refusal } from '../../lib/errors.js'
import { serverIn, tokenFileOf, tokenIn, writeTokenFile, type CredentialsFile, type StoredToken } from '../credentials/credentials-file.js'
import { carryOut, planEnrolment, verifier, type Enrolment } from './installation.js'
import type { Verdict } from '../doctor/handshake.js'
import { elsewhere, type Issuer } from '../credentials/issuer.js'
import type { Machine } from '../host.js'
import type { Plan } from './plan.js'
import { endRetired, retireUnused, type Retired } from '../credentials/retire.js'

export interface Entry {
  enrolment: Enrolment
  plan: Plan
  /** It has nothing to do with this, and nobody said that it should. */
  skipped: boolean
  backup?: string
  /** Why its file could not be written. */
  failed?: string
  verdict?: Verdict
}

export interface Undertaking {
  url: string
  entries: Entry[]
  /** By name; those that are not there yet are made. */
  tokens: Map<string, StoredToken>
  ended?: Retired
  /** Whether a token may be sent in clear to another machine. */
  allowHttp?: boolean | undefined
}

export async function enrol (undertaking: Undertaking, held: CredentialsFile, issuer: Issuer, machine: Machine): Promise<void> {
  const { entries, tokens } = undertaking
  const doable = entries.filter(({ plan }) => !plan.problem)
  try {
    for (const name of new Set(doable.map(({ enrolment }) => enrolment.token))) await provide(name, undertaking, held, issuer)
  } catch (error) {
    // Those that were given before one was refused are of no use.
    await clearUp(undertaking, held, issuer, machine)
    throw error
  }
  for (const entry of doable) await register(entry, held, tokens, machine)
  const verify = verifier(machine)
  for (const entry of doable) {
    if (!entry.plan.registration || entry.plan.problem || entry.failed !== undefined) continue
    entry.verdict = await verify(entry.enrolment.agent, entry.plan.registration, tokens.get(entry.enrolment.token)!.token)
  }
  await clearUp(undertaking, held, issuer, machine)
}

/** A token of that name: in hand, and kept, before it is used. */
async function provide (name: string, { url, tokens }: Undertaking, held: CredentialsFile, issuer: Issuer): Promise<void> {
  const server = serverIn(held.stored, url)
  const old = tokenIn(server.tokens, name)
  const token = tokens.get(name) ?? await issuer.mint(name, old)
  // One that was given takes the place of one that nothing uses.
  if (old && issuer.given && old.token !== token.token) server.retired.push(old)
  server.tokens[name] = token
  tokens.set(name, token)
  await held.save()
}

/** Ends the tokens that nothing uses any more, at this server and at those that agents were with before. */
async function clearUp (undertaking: Undertaking, held: CredentialsFile, issuer: Issuer, machine: Machine): Promise<void> {
  const given = issuer.given && [...undertaking.tokens.values()][0]?.token
  for (const url of Object.keys(held.stored.servers)) {
    await retireUnused(held, url, machine, given)
    const { allowHttp } = undertaking
    const ended = await endRetired(held, url, url === undertaking.url ? issuer : elsewhere(new URL(url), { own: issuer, allowHttp }))
    if (url === undertaking.url) undertaking.ended = ended
  }
}

async function register (entry: Entry, held: CredentialsFile, tokens: ReadonlyMap<string, StoredToken>, machine: Machine): Promise<void> {
  const { enrolment } = entry
  const { token } = tokens.get(enrolment.token)!
  try {
    if (enrolment.way !== 'token') await writeTokenFile(machine, tokenFileOf(machine, enrolment.url, enrolment.token), token)
    entry.plan = await planEnrolment(enrolment, token, held.stored, machine)
    if (!entry.plan.problem) Object.assign(entry, await carryOut(enrolment, entry.plan, held, machine))
  } catch (error) {
    entry.failed = wordsOf(error)
  }
}

const wordsOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.message
  if (error instanceof Error && 'code' in error) return `Its file cannot be written (${String(error.code)}).`
  throw error
}
