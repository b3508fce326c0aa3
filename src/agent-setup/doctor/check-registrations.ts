/** Checks whether the agents of this machine reach the server with the entries in their files. */
import { Refusal } from '../../lib/errors.js'
import type { Agent } from '../registry/agent.js'
import { checkEntry, type EntryTrial } from './check-entry.js'
import type { StoredServer } from '../credentials/credentials-file.js'
import { detect } from '../registry/paths.js'
import { fileWithEntries, type ConfigFile } from '../install/find-entries.js'
import { failed, skipped, warning, type NamedCheck, type CheckResult } from './finding.js'
import { createHandshakes } from './handshake.js'
import type { Host } from '../file-system.js'
import { errorCodeOrName } from '../../lib/error-code.js'
import { commandLine } from '../../lib/text/command-line.js'

export interface RegistrationsToCheck {
  url: URL
  host: Host
  folder: string
  stored: StoredServer | undefined
  reachable: boolean
}

/** Yields one check per file of each detected agent, with the results of all its entries for this server. */
export async function * checkRegistrations (registered: RegistrationsToCheck): AsyncGenerator<NamedCheck> {
  const agents = detect(registered.host)
  if (agents.length === 0) yield { name: 'agents', ...skipped('none is found on this machine') }
  const handshake = createHandshakes()
  const tryOut: EntryTrial['tryOut'] = (headers) => handshake(registered.url, headers)
  const trial = { ...registered, tryOut: registered.reachable ? tryOut : undefined }
  for (const agent of agents) {
    const files: Array<ConfigFile | CheckResult | undefined> = []
    for (const scope of ['user', 'project'] as const) files.push(await read(agent, scope, registered))
    const existing = files.filter((file) => file !== undefined)
    const count = existing.reduce((sum, file) => sum + ('entries' in file ? file.entries.length : 0), 0)
    if (count === 0 && !existing.some((file) => 'status' in file)) {
      yield { name: `agent ${agent.id}`, ...missing(agent, registered.stored) }
    }
    for (const file of existing) {
      if ('status' in file) yield { name: `agent ${agent.id}`, ...file }
      else if (file.entries.length > 0) {
        const findings = await Promise.all(file.entries.map((entry) => checkEntry(agent, entry, file, trial)))
        if (count > 1) findings.push(twice(agent, existing))
        yield { name: `agent ${agent.id}${file.scope === 'project' ? ' (project)' : ''}`, ...worst(findings) }
      }
    }
  }
}

const read = async (
  agent: Agent, scope: ConfigFile['scope'], { url, host, folder }: RegistrationsToCheck
): Promise<ConfigFile | CheckResult | undefined> => {
  try {
    return await fileWithEntries(agent, scope, url, host, folder)
  } catch (error) {
    const reason = error instanceof Refusal ? error.message : `It cannot be read (${errorCodeOrName(error)}).`
    return failed(`the ${scope}'s file of ${agent.name}: ${reason}`,
      `${agent.name} cannot read it either: correct it, or restore a former copy.`)
  }
}

const missing = (agent: Agent, stored: StoredServer | undefined): CheckResult => {
  const record = stored?.registrations.find(({ registration }) => registration.agent === agent.id)
  return record
    ? warning(`what init put into ${record.registration.file} is gone`,
      `Register again: ${commandLine(`init --agent ${agent.id}`)}; ` +
      `or forget it: ${commandLine(`uninstall --agent ${agent.id}`)}`)
    : skipped(`${agent.name} has no entry for this server (${commandLine(`init --agent ${agent.id}`)})`)
}

const twice = (agent: Agent, files: ReadonlyArray<ConfigFile | CheckResult>): CheckResult => {
  const names = files.flatMap((file) => 'entries' in file ? file.entries.map(({ name }) => name) : [])
  return warning(`several entries for one server: ${names.join(', ')}`,
    `Keep one of them: ${agent.name} shows every tool as often as there are entries.`)
}

const ORDER = ['failed', 'warning', 'skipped', 'passed'] as const

/** All faults in one line, under the worst status. */
const worst = (findings: readonly CheckResult[]): CheckResult => {
  const status = ORDER.find((one) => findings.some((result) => result.status === one)) ?? 'passed'
  const wrong = findings.filter((result) => result.remedy !== undefined)
  if (wrong.length === 0) return findings.find((result) => result.status === status) ?? skipped('there is no entry')
  return {
    status,
    detail: wrong.map(({ detail }) => detail).join('; '),
    remedy: [...new Set(wrong.map(({ remedy }) => remedy))].join(' ')
  }
}
