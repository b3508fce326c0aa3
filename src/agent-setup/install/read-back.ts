/** Reads what an agent will send from its file. */
import { parseObject } from '../../lib/json/json-object.js'
import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import type { Agent } from '../registry/agent.js'
import { readTree } from '../config-files/edit.js'
import { at } from '../config-files/tree.js'
import { readTokenFile } from '../credentials/credentials-file.js'
import { kindOf } from '../../access/credentials/credential-form.js'
import { digestOf, readEntry, type ReadEntry } from './entry-template.js'
import type { Host } from '../file-system.js'
import type { Registration } from './edit-entry.js'

// The time that agents allow for such a command.
const TIMEOUT_MS = 10_000

/**
 * Reads only an unchanged entry, and only the way it was written: a reference is resolved where the entry was to
 * contain one, and nowhere else.
 * @param token the token in the entry; for an agent that prompts, or a variable that is not set here, the one to use
 * @returns a sentence when the entry was changed, or when it refers to something else than a credential
 */
export async function readBack (
  agent: Agent, registration: Registration, host: Host, token: string
): Promise<{ url: URL, headers: { Authorization: string } } | string> {
  const { file, puts, url: endpoint } = registration
  const text = (await host.fileSystem.read((await host.fileSystem.find(file)).path)).toString()
  const put = puts.at(-1)
  const entry = put && at(readTree(agent.format, text), put.path)
  if (!put || entry === undefined) return `The entry is not in ${file}.`
  const written = readEntry(agent, entry)
  if (digestOf(entry, agent) !== put.digest || written.url !== endpoint || written.mismatches.length > 0) {
    return `The entry in ${file} is not as it was written.`
  }
  const sent = await credentialOf(registration, written, host, token)
  if (sent === undefined) return `What the entry in ${file} refers to is no credential: nothing was sent.`
  return { url: new URL(endpoint), headers: { Authorization: `Bearer ${sent}` } }
}

async function credentialOf (
  { secret }: Registration, { authorization = '', command = '', variable }: ReadEntry, host: Host, token: string
): Promise<string | undefined> {
  switch (secret) {
    case 'token': return authorization === `Bearer ${token}` ? token : undefined
    case 'prompt': return token
    case 'variable': {
      const name = variable ?? /\{(?:env:)?([A-Za-z_]\w*)\}$/.exec(authorization)?.[1]
      const value = name === undefined ? undefined : host.env[name]?.trim() || token
      return kindOf(value) && value
    }
    case 'file': return readTokenFile(/\{file:([^}]+)\}$/.exec(authorization)?.[1] ?? '', host)
    case 'command': return tokenBy(command, host)
  }
}

/** @param command the one that init wrote: a changed entry is not read */
async function tokenBy (command: string, { env }: Host): Promise<string | undefined> {
  const options = { env, timeout: TIMEOUT_MS, maxBuffer: 100_000 }
  const { stdout } = await promisify(exec)(command, options).catch(() => ({ stdout: '' }))
  const { Authorization: authorization } = parseObject(stdout) ?? {}
  const [, value] = typeof authorization === 'string' ? /^Bearer (\S+)$/.exec(authorization) ?? [] : []
  return kindOf(value) && value
}
