/** The registration of one server with one agent: planned, executed and tested. */
import { dirname, join, resolve } from 'node:path'
import { apply } from './apply.js'
import type { Agent, ConfigScope } from '../registry/agent.js'
import {
  serverIn, tokenFileOf, writeTokenFile, type CredentialsFile, type Stored, type StoredServer
} from '../credentials/credentials-file.js'
import { createHandshakes, type Verdict } from '../doctor/handshake.js'
import { agents } from '../registry/known-agents.js'
import type { Host } from '../file-system.js'
import { planRegistration, type InstallPlan } from './plan.js'
import { readBack } from './read-back.js'
import type { Registration } from './edit-entry.js'
import { secretFor, variableOf, type SecretStrategy } from '../credentials/secret-strategy.js'
import { Refusal } from '../../lib/errors.js'

/** An entry for one server in a file of one agent. */
export interface Installation {
  agent: Agent
  name: string
  url: string
  scope: ConfigScope
  projectFolder: string
  strategy: SecretStrategy
  /** The name of its token. */
  token: string
}

/** What makes two of them the same entry of the same file. */
type Place = Pick<Installation, 'agent' | 'name' | 'scope' | 'projectFolder'>

export const agentOf = (id: string): Agent => {
  const found = agents.find((agent) => agent.id === id)
  if (!found) throw new Refusal(`This version does not know the agent ${id} any more.`)
  return found
}

export const installationsOf = (
  { registrations }: StoredServer
): Installation[] => registrations.map(({ token, registration }) => {
  const { name, url, scope, secret: strategy, file } = registration
  const agent = agentOf(registration.agent)
  return { agent, name, url, scope, projectFolder: projectOf(agent, file), strategy, token }
})

/** The folder of the project that a file of this agent belongs to. */
const projectOf = ({ project = [] }: Agent, file: string): string =>
  project.map((path) => resolve(file, ...path.split('/').map(() => '..')))
    .find((folder) => project.some((path) => join(folder, path) === file)) ?? dirname(file)

export const isSame = (one: Place, other: Place): boolean =>
  one.agent === other.agent && one.name === other.name && one.scope === other.scope &&
  (one.scope === 'user' || one.projectFolder === other.projectFolder)

/** The former registration under this name in the same file, for this server or another. */
export function findEarlier (
  { servers }: Stored, { agent, name, scope, projectFolder }: Place
): { url: string, registration: Registration, token: string } | undefined {
  for (const [url, { registrations }] of Object.entries(servers)) {
    const found = registrations.find(({ registration: one }) =>
      one.agent === agent.id && one.name === name && one.scope === scope &&
      (scope === 'user' || projectOf(agent, one.file) === projectFolder))
    if (found) return { url, ...found }
  }
}

/** `secret` is the token's text, or a placeholder before there is one. */
export const planInstallation = (
  installation: Installation, secret: string, stored: Stored, host: Host
): Promise<InstallPlan> => {
  const { agent, name, url, scope, projectFolder, strategy, token } = installation
  const location = { file: tokenFileOf(host, url, token), variable: variableOf(token), platform: host.platform }
  const entry = { name, url, scope, projectFolder, secret: secretFor(strategy, secret, location) }
  return planRegistration(agent, entry, host, findEarlier(stored, installation)?.registration)
}

/**
 * Writes the token where the agent finds it and the agent's file, and stores what is needed to undo that. With a plan
 * that has a problem, the agent's file stays as it is.
 */
export async function execute (
  installation: Installation, token: string, credentials: CredentialsFile, host: Host
): Promise<{ plan: InstallPlan, backup?: string | undefined }> {
  if (installation.strategy !== 'token') {
    await writeTokenFile(host, tokenFileOf(host, installation.url, installation.token), token)
  }
  const plan = await planInstallation(installation, token, credentials.stored, host)
  if (plan.problem) return { plan }
  const { registration, backup } = await apply(plan, host.fileSystem)
  if (registration) {
    const earlier = findEarlier(credentials.stored, installation)
    if (earlier) forget(credentials.stored, earlier.url, earlier.registration)
    serverIn(credentials.stored, installation.url).registrations.push({ token: installation.token, registration })
    await credentials.save()
  }
  return { plan, backup }
}

export function forget (stored: Stored, url: string, registration: Registration): void {
  const server = serverIn(stored, url)
  server.registrations = server.registrations.filter((one) => one.registration !== registration)
}

/** Tests entries by connecting as the agent would. Entries that send the same are tested once. */
export const createVerifier = (host: Host) => {
  const handshake = createHandshakes()
  return async (agent: Agent, registration: Registration, token: string): Promise<Verdict> => {
    const written = await readBack(agent, registration, host, token)
    return typeof written === 'string' ? { ok: false, reason: written } : handshake(written.url, written.headers)
  }
}
