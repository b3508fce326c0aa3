/**
 * A new token in the place of one: made and kept, then every agent that uses it changed and tried out, and only then the old one
 * ended. Until then the old one works; when a step fails, what was changed is put back. Killed in between, it goes on when run again.
 */
import { Refusal } from '../../lib/errors.js'
import { serverIn, tokenFileOf, tokenIn, writeTokenFile, type CredentialsFile, type StoredToken } from './credentials-file.js'
import { carryOut, enrolmentsOf, planEnrolment, type Enrolment, type Verify } from '../install/installation.js'
import { PLACEHOLDER_TOKEN } from '../install/entry-template.js'
import type { Verdict } from '../doctor/handshake.js'
import type { Issuer } from './issuer.js'
import type { Machine } from '../host.js'
import type { Plan } from '../install/plan.js'

export interface Rotated {
  plan: Plan
  backup?: string
  verdict: Verdict
}

export interface Rotation {
  url: string
  held: CredentialsFile
  issuer: Issuer
  machine: Machine
  verify: Verify
}

/** A `Refusal` says what failed, and that everything is as it was. */
export async function rotate (rotation: Rotation): Promise<Rotated[]> {
  const { url, held, issuer } = rotation
  const server = serverIn(held.stored, url)
  const enrolments = enrolmentsOf(server)
  await requireChangeable(rotation, enrolments)
  try {
    for (const name of Object.keys(server.tokens)) {
      if (tokenIn(server.next, name)) continue
      server.next[name] = await issuer.mint(name, tokenIn(server.tokens, name))
      await held.save()
    }
    const changed: Rotated[] = []
    for (const enrolment of enrolments) changed.push(await handOver(rotation, enrolment, server.next))
    for (const [name, token] of Object.entries(server.next)) {
      const old = tokenIn(server.tokens, name)
      if (old) server.retired.push(old)
      server.tokens[name] = token
    }
    server.next = {}
    await held.save()
    return changed
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(`${error.message} ${await putBack(rotation, enrolments)}`)
  }
}

async function requireChangeable ({ held, machine }: Rotation, enrolments: readonly Enrolment[]): Promise<void> {
  for (const enrolment of enrolments) {
    // A rotation that was interrupted may have changed it already.
    const next = tokenIn(serverIn(held.stored, enrolment.url).next, enrolment.token)
    const { problem } = await planEnrolment(enrolment, next?.token ?? PLACEHOLDER_TOKEN, held.stored, machine)
    if (problem) throw new Refusal(`${problem.message} Nothing was changed, and the token goes on working.`)
  }
}

async function handOver (
  { held, machine, verify }: Rotation, enrolment: Enrolment, tokens: Readonly<Record<string, StoredToken>>
): Promise<Rotated> {
  const { token } = tokenIn(tokens, enrolment.token)!
  const file = tokenFileOf(machine, enrolment.url, enrolment.token)
  if (enrolment.way !== 'token') await writeTokenFile(machine, file, token)
  const plan = await planEnrolment(enrolment, token, held.stored, machine)
  if (plan.problem) throw new Refusal(plan.problem.message)
  const { backup } = await carryOut(enrolment, plan, held, machine)
  const verdict = await verify(enrolment.agent, plan.registration!, token)
  if (!verdict.ok) throw new Refusal(`${enrolment.agent.name} would not get through with the new token: ${verdict.reason}`)
  return { plan, verdict, ...backup !== undefined && { backup } }
}

/** Says how it went. */
async function putBack ({ url, held, machine, issuer }: Rotation, enrolments: readonly Enrolment[]): Promise<string> {
  const server = serverIn(held.stored, url)
  const stuck: string[] = []
  for (const enrolment of enrolments) {
    try {
      const { token } = tokenIn(server.tokens, enrolment.token)!
      if (enrolment.way !== 'token') await writeTokenFile(machine, tokenFileOf(machine, url, enrolment.token), token)
      const plan = await planEnrolment(enrolment, token, held.stored, machine)
      await carryOut(enrolment, plan, held, machine)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      stuck.push(error.message)
    }
  }
  if (stuck.length > 0) {
    return `Not everything could be put back (${stuck.join(' ')}): the old token and the new one both work. Run init --rotate again once this is mended.`
  }
  for (const token of issuer.given ? [] : Object.values(server.next)) {
    await issuer.revoke(token).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      server.retired.push(token)
    })
  }
  server.next = {}
  await held.save()
  return 'Everything was put back as it was: the old token goes on working. Run init --rotate again once this is mended.'
}
