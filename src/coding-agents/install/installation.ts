/** One agent's way to one server: what is to be written where, with which token; planned, carried out, and tried out. */
import { dirname, join, resolve } from 'node:path'
import { apply } from './apply.js'
import type { Agent, Scope } from '../registry/agent.js'
import { serverIn, tokenFileOf, type CredentialsFile, type Stored, type StoredServer } from '../credentials/credentials-file.js'
import { handshake, type Verdict } from '../doctor/handshake.js'
import { agents } from '../registry/known-agents.js'
import type { Machine } from '../host.js'
import { planRegistration, type Plan } from './plan.js'
import { readBack } from './read-back.js'
import type { Registration } from './registration.js'
import { secretFor, variableOf, type Way } from '../credentials/secret-strategy.js'
import { Refusal } from '../../lib/errors.js'

/** Where an entry stands, or is to. */
export interface Place {
  agent: Agent
  /** Of the entry. */
  name: string
  url: string
  scope: Scope
  /** Below which the files of a project lie. */
  projectFolder: string
}

export interface Enrolment extends Place {
  way: Way
  /** The name of its token. */
  token: string
}

export const agentOf = (id: string): Agent => {
  const found = agents.find((agent) => agent.id === id)
  if (!found) throw new Refusal(`This version does not know the agent ${id} any more.`)
  return found
}

/** The enrolments of a server, as they are kept. */
export const enrolmentsOf = ({ registrations }: StoredServer): Enrolment[] => registrations.map(({ token, registration }) => {
  const { name, url, scope, secret: way, file } = registration
  const agent = agentOf(registration.agent)
  return { agent, name, url, scope, projectFolder: projectOf(agent, file), way, token }
})

/** The folder of the project that a file of this agent belongs to. */
const projectOf = ({ project = [] }: Agent, file: string): string =>
  project.map((path) => resolve(file, ...path.split('/').map(() => '..'))).find((folder) => project.some((path) => join(folder, path) === file)) ?? dirname(file)

export const isSame = (one: Place, other: Place): boolean =>
  one.agent === other.agent && one.name === other.name && one.scope === other.scope &&
  (one.scope === 'user' || one.projectFolder === other.projectFolder)

/** What was registered here before under this name, for this server or another. */
export function earlierOf (
  { servers }: Stored, { agent, name, scope, projectFolder }: Place
): { url: string, registration: Registration, token: string } | undefined {
  for (const [url, { registrations }] of Object.entries(servers)) {
    const found = registrations.find(({ registration: one }) => one.agent === agent.id && one.name === name && one.scope === scope &&
      (scope === 'user' || projectOf(agent, one.file) === projectFolder))
    if (found) return { url, ...found }
  }
}

/** `secret` is the token's text, or what stands for it before there is one. */
export const planEnrolment = (enrolment: Enrolment, secret: string, stored: Stored, machine: Machine): Promise<Plan> => {
  const { agent, name, url, scope, projectFolder, way, token } = enrolment
  const lying = { file: tokenFileOf(machine, url, token), variable: variableOf(token), platform: machine.platform }
  const wanted = { name, url, scope, projectFolder, secret: secretFor(way, secret, lying) }
  return planRegistration(agent, wanted, machine, earlierOf(stored, enrolment)?.registration)
}

/** Writes the agent's file, and then what takes that back. */
export async function carryOut (enrolment: Enrolment, plan: Plan, held: CredentialsFile, machine: Machine): Promise<{ backup?: string }> {
  const { registration, backup } = await apply(plan, machine.disk)
  if (registration) {
    const earlier = earlierOf(held.stored, enrolment)
    if (earlier) forget(held.stored, earlier.url, earlier.registration)
    serverIn(held.stored, enrolment.url).registrations.push({ token: enrolment.token, registration })
    await held.save()
  }
  return backup === undefined ? {} : { backup }
}

export function forget (stored: Stored, url: string, registration: Registration): void {
  const server = serverIn(stored, url)
  server.registrations = server.registrations.filter((one) => one.registration !== registration)
}

/** Has a conversation as the agent would, with what its file says. One that was had already is not had again. */
export const verifier = (machine: Machine) => {
  const had = new Map<string, Promise<Verdict>>()
  return async (agent: Agent, registration: Registration, token: string): Promise<Verdict> => {
    const written = await readBack(agent, registration, machine, token)
    if (typeof written === 'string') return { ok: false, reason: written }
    const { url, headers } = written
    const key = JSON.stringify([url.href, headers])
    const verdict = had.get(key) ?? handshake(url, headers)
    had.set(key, verdict)
    return verdict
  }
}

export type Verify = ReturnType<typeof verifier>
