/**
 * Replaces tokens. New ones are created and stored, then the entry of each agent is changed and tested; only then the
 * old tokens are revoked. When a step fails, the changes are undone. A rotation that was killed continues at the next
 * run.
 */
import { Refusal, requireRefusal } from '../../lib/errors.js'
import { serverIn, tokenIn, tokenTextIn, type CredentialsFile } from './credentials-file.js'
import {
  createVerifier, execute, installationsOf, planInstallation, type Installation
} from '../install/installation.js'
import { PLACEHOLDER_TOKEN } from '../install/entry-template.js'
import type { Issuer } from './issuer.js'
import { VARIABLE } from './secret-strategy.js'
import type { Host } from '../file-system.js'
import type { InstallStep } from '../install/install.js'

type Rotated = Pick<InstallStep, 'plan' | 'backup' | 'verdict'>

export interface Rotation {
  url: string
  credentials: CredentialsFile
  issuer: Issuer
  host: Host
}

/** @throws {Refusal} that says what failed, and that everything is as it was before */
export async function rotate (rotation: Rotation): Promise<Rotated[]> {
  const { url, credentials, issuer, host } = rotation
  // The environment variables of this process contain the old tokens.
  const env = Object.fromEntries(Object.entries(host.env).filter(([name]) => !name.startsWith(VARIABLE)))
  const verify = createVerifier({ ...host, env })
  const server = serverIn(credentials.stored, url)
  const installations = installationsOf(server)
  await requireChangeable(rotation, installations)
  try {
    for (const name of Object.keys(server.tokens)) {
      if (tokenIn(server.next, name)) continue
      server.next[name] = await issuer.mint(name, tokenIn(server.tokens, name))
      await credentials.save()
    }
    const changed: Rotated[] = []
    for (const installation of installations) {
      const token = tokenTextIn(server.next, installation.token)
      const { plan, backup } = await execute(installation, token, credentials, host)
      if (plan.problem || !plan.registration) throw new Refusal(plan.problem?.message ?? 'There is nothing to change.')
      const verdict = await verify(installation.agent, plan.registration, token)
      if (!verdict.ok) {
        throw new Refusal(`${installation.agent.name} would not get through with the new token: ${verdict.reason}`)
      }
      changed.push({ plan, verdict, backup })
    }
    for (const [name, token] of Object.entries(server.next)) {
      const old = tokenIn(server.tokens, name)
      if (old) server.retired.push(old)
      server.tokens[name] = token
    }
    server.next = {}
    await credentials.save()
    return changed
  } catch (error) {
    throw new Refusal(`${requireRefusal(error).message} ${await putBack(rotation, installations)}`)
  }
}

async function requireChangeable (
  { credentials, host }: Rotation, installations: readonly Installation[]
): Promise<void> {
  for (const installation of installations) {
    // A rotation that was interrupted may have changed it already.
    const next = tokenIn(serverIn(credentials.stored, installation.url).next, installation.token)
    const { problem } = await planInstallation(installation, next?.token ?? PLACEHOLDER_TOKEN, credentials.stored, host)
    if (problem) throw new Refusal(`${problem.message} Nothing was changed, and the token goes on working.`)
  }
}

async function putBack (
  { url, credentials, host, issuer }: Rotation, installations: readonly Installation[]
): Promise<string> {
  const server = serverIn(credentials.stored, url)
  const stuck: string[] = []
  for (const installation of installations) {
    try {
      const { plan: { problem } } =
        await execute(installation, tokenTextIn(server.tokens, installation.token), credentials, host)
      if (problem) stuck.push(problem.message)
    } catch (error) {
      stuck.push(requireRefusal(error).message)
    }
  }
  if (stuck.length > 0) {
    return `Not everything could be put back (${stuck.join(' ')}): the old token and the new one both work. ` +
      'Run init --rotate again once this is corrected.'
  }
  for (const token of issuer.isSupplied ? [] : Object.values(server.next)) {
    await issuer.revoke(token).catch((error: unknown) => {
      requireRefusal(error)
      server.retired.push(token)
    })
  }
  server.next = {}
  await credentials.save()
  return 'Everything was put back as it was: the old token goes on working. ' +
    'Run init --rotate again once this is corrected.'
}
