/** Checks one entry of one agent: whether the agent can read it, and whether the server accepts what it sends. */
import { kindOf } from '../../access/credentials/credential-form.js'
import { isTemplate, type Agent, type SecretReference, type Template } from '../registry/agent.js'
import { readTokenFile, tokenIn, type StoredServer } from '../credentials/credentials-file.js'
import type { ConfigEntry, ConfigFile } from '../install/find-entries.js'
import { digestOf, readEntry } from '../install/entry-template.js'
import { failed, passed, skipped, warning, type CheckResult } from './finding.js'
import type { Verdict } from './handshake.js'
import type { Host } from '../file-system.js'
import { commandLine } from '../../lib/text/command-line.js'

export interface EntryTrial {
  host: Host
  stored: StoredServer | undefined
  tryOut: ((headers: Record<string, string>) => Promise<Verdict>) | undefined
}

// By the agent's documentation the same as the type in the table.
const ALSO: Readonly<Record<string, string>> = { 'claude-code': 'streamable-http' }

export const checkEntry = async (
  agent: Agent, { name, entry, field }: ConfigEntry, file: ConfigFile, trial: EntryTrial
): Promise<CheckResult> => {
  const at = `"${name}" in ${file.path}`
  if (field === undefined) return skipped(`${at} reaches the server by a command, which is not tried`)
  const written = readEntry(agent, entry)
  if (written.url === undefined) {
    const [own = ''] = Object.entries(agent.entry).find(([, value]) => value === '<url>') ?? []
    // Some agents accept both fields by now.
    const grave = entry.get('type') === 'http' ? warning : failed
    const which = `which not every version of ${agent.name} takes for an MCP endpoint over HTTP`
    return grave(`${at} has the address in "${field}", ${which}`, `Put it into "${own}". ${anewFor(agent)}`)
  }
  if (entry.get('disabled') === true || entry.get('enabled') === false) {
    return warning(`${at} is switched off`, `Switch it on in ${agent.name}.`)
  }
  const type = entry.get('type')
  if (written.mismatches.includes('type') && (type === undefined || type !== ALSO[agent.id])) {
    const problem = type === undefined ? 'has no type' : `is of the type ${JSON.stringify(type)}`
    return failed(`${at} ${problem}, which ${agent.name} takes for something else`,
      `It needs "type": ${JSON.stringify(agent.entry['type'])}.`)
  }

  const sent = await headersOf(agent, entry, trial)
  if ('status' in sent) return { ...sent, detail: `${at}: ${sent.detail}` }
  if (sent.literal && file.scope === 'project') {
    return failed(`${at} holds a secret, and the file is shared with the project`,
      `Remove the secret and revoke it (${commandLine('tokens revoke ID')}); ` +
      `${commandLine('init --scope project')} writes a reference instead of it.`)
  }
  if (!trial.tryOut) return skipped(`${at} is not tried: the server is not reached`)
  const verdict = await trial.tryOut(sent.headers)
  if (!verdict.ok) {
    return failed(`${at} does not connect: ${verdict.reason}`,
      `Give it another token: ${commandLine(`init --agent ${agent.id} --rotate`)}; ` +
      'or correct the entry by what the server says.')
  }
  if (sent.literal && file.open) {
    return warning(`${at} works, but others of this machine can read the token in it`, `chmod 600 '${file.path}'`)
  }
  return passed(`${at} works: ${verdict.tools} tools`)
}

const anewFor = ({ id }: Agent): string =>
  `Write the entry again: remove it, then ${commandLine(`init --agent ${id}`)}`

interface SentHeaders { headers: Record<string, string>, literal: boolean }

/** The headers that the agent will send, and whether the file itself contains the secret. */
const headersOf = async (
  agent: Agent, entry: ConfigEntry['entry'], { host, stored }: EntryTrial
): Promise<SentHeaders | CheckResult> => {
  const { authorization, command, variable } = readEntry(agent, entry)
  // The entry may name another secret of this machine: only a credential of such a server is sent.
  const bearer = (token: string | undefined, otherwise: CheckResult, literal = false): SentHeaders | CheckResult =>
    kindOf(token) ? { headers: { Authorization: `Bearer ${token}` }, literal } : otherwise
  if (command !== undefined) {
    // Only a command that init wrote would be safe to run: take its token from the credentials file instead.
    const token = tokenOf(agent, entry, stored)
    return bearer(token, skipped('its command is not of init, and is not tried'))
  }
  const inHeader = (kind: SecretReference['kind']): string | undefined =>
    authorization === undefined ? undefined : blankIn(agent.secret[kind], authorization)
  const file = inHeader('file')
  if (file !== undefined) {
    return bearer(await readTokenFile(file, host), failed(
      `it refers to ${file}, which cannot be read, or holds no credential and is not sent`,
      `Write the token there (0600), or have one written: ${commandLine(`init --agent ${agent.id}`)}`))
  }
  const reference = inHeader('variable') ?? (authorization === undefined ? variable : undefined)
  const [name, otherwise] = reference?.split(':-') ?? []
  if (name !== undefined) {
    const token = host.env[name] || otherwise
    return token
      ? bearer(token, failed(`it takes its token from ${name}, which holds no credential here and is not sent`,
        `Set ${name} to a credential of the server.`))
      : warning(`it takes its token from ${name}, which is not set here`,
        `Set ${name} in the environment that ${agent.name} is started in.`)
  }
  if (inHeader('prompt') !== undefined) {
    return skipped(`${agent.name} asks for the token when it connects, so that it is not tried`)
  }
  if (authorization === undefined) return failed('it has no Authorization header', anewFor(agent))
  if (/[{$%<]/.test(authorization)) {
    return failed(`it holds a placeholder that ${agent.name} does not fill in`,
      `${commandLine(`init --agent ${agent.id}`)} writes one that it does, or the token.`)
  }
  return bearer(/^Bearer (\S+)$/.exec(authorization)?.[1],
    failed('its Authorization header is not "Bearer", one space and a credential, and is not sent',
      anewFor(agent)), true)
}

/** The token of an entry that is unchanged since init wrote it. */
const tokenOf = (agent: Agent, entry: ConfigEntry['entry'], stored: StoredServer | undefined): string | undefined => {
  const digest = digestOf(entry, agent)
  const record = stored?.registrations.find(({ registration: { agent: id, puts } }) =>
    id === agent.id && puts.some((put) => put.digest === digest))
  return record && stored && tokenIn(stored.tokens, record.token)?.token
}

/** The text instead of the template's `<secret>`; undefined when the text does not fit the template. */
const blankIn = (template: Template | undefined, text: string): string | undefined => {
  for (const value of Object.values(template ?? {})) {
    if (isTemplate(value)) {
      const inner = blankIn(value, text)
      if (inner !== undefined) return inner
    }
    if (typeof value !== 'string' || !/\{.*<secret>.*\}/.test(value)) continue
    const [before = '', after = ''] = value.split('<secret>')
    const fits = text.startsWith(before) && text.endsWith(after)
    const blank = fits ? text.slice(before.length, text.length - after.length) : ''
    if (/^[^{}$]+$/.test(blank)) return blank
  }
}
