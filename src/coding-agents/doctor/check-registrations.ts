/** Whether the agents of this machine reach the server as they are registered: what their files say, tried out. */
import { Refusal } from '../../lib/errors.js'
import type { Agent } from '../registry/agent.js'
import { checkEntry, type Trial } from './check-entry.js'
import type { StoredServer } from '../credentials/credentials-file.js'
import { detect } from '../registry/detect.js'
import { fileWithEntries, type File } from '../install/find-entries.js'
import { failed, skipped, warning, type Check, type Finding } from './finding.js'
import { handshake, type Verdict } from './handshake.js'
import type { Machine } from '../host.js'
import { codeOf } from '../../lib/error-code.js'

export interface Registered {
  url: URL
  machine: Machine
  /** Where projects' files are looked for. */
  folder: string
  /** What init put in. */
  stored: StoredServer | undefined
  /** Whether there is a server to try them with. */
  reachable: boolean
}

export async function * checkRegistrations (registered: Registered): AsyncGenerator<Check> {
  const agents = detect(registered.machine)
  if (agents.length === 0) yield { name: 'agents', ...skipped('none is found on this machine') }
  const trial = { ...registered, tryOut: registered.reachable ? trying(registered.url) : undefined }
  for (const agent of agents) {
    const files: Array<File | Finding | undefined> = []
    for (const scope of ['user', 'project'] as const) files.push(await read(agent, scope, registered))
    const known = files.filter((file) => file !== undefined)
    const count = known.reduce((sum, file) => sum + ('entries' in file ? file.entries.length : 0), 0)
    if (count === 0 && !known.some((file) => 'status' in file)) {
      yield { name: `agent ${agent.id}`, ...missing(agent, registered.stored) }
    }
    for (const file of known) {
      if ('status' in file) yield { name: `agent ${agent.id}`, ...file }
      else if (file.entries.length > 0) {
        const findings = await Promise.all(file.entries.map((entry) => checkEntry(agent, entry, file, trial)))
        if (count > 1) findings.push(twice(agent, known))
        yield { name: `agent ${agent.id}${file.scope === 'project' ? ' (project)' : ''}`, ...worst(findings) }
      }
    }
  }
}

/** Agents that send the same are tried once. */
const trying = (url: URL): NonNullable<Trial['tryOut']> => {
  const tried = new Map<string, Promise<Verdict>>()
  return (headers) => {
    const key = JSON.stringify(headers)
    const verdict = tried.get(key) ?? handshake(url, headers).catch(refused)
    tried.set(key, verdict)
    return verdict
  }
}

const refused = (error: unknown): Verdict => {
  if (error instanceof Refusal) return { ok: false, reason: error.message }
  throw error
}

const read = async (agent: Agent, scope: File['scope'], { url, machine, folder }: Registered): Promise<File | Finding | undefined> => {
  try {
    return await fileWithEntries(agent, scope, url, machine, folder)
  } catch (error) {
    const reason = error instanceof Refusal ? error.message : `It cannot be read (${codeOf(error)}).`
    return failed(`the ${scope}'s file of ${agent.name}: ${reason}`, `${agent.name} cannot read it either: mend it, or put back a copy of before.`)
  }
}

const missing = (agent: Agent, stored: StoredServer | undefined): Finding => {
  const record = stored?.registrations.find(({ registration }) => registration.agent === agent.id)
  return record
    ? warning(`what init put into ${record.registration.file} is gone`, `Put it in again: exploration-mcp init --agent ${agent.id}; or let go of it: exploration-mcp uninstall --agent ${agent.id}.`)
    : skipped(`${agent.name} has no entry for this server (exploration-mcp init --agent ${agent.id})`)
}

const twice = (agent: Agent, files: ReadonlyArray<File | Finding>): Finding => {
  const names = files.flatMap((file) => 'entries' in file ? file.entries.map(({ name }) => name) : [])
  return warning(`several entries for one server: ${names.join(', ')}`, `Keep one of them: ${agent.name} shows every tool as often as there are entries.`)
}

const ORDER = ['failed', 'warning', 'skipped', 'passed'] as const

/** All that is wrong in one line, under the gravest of it. */
const worst = (findings: readonly Finding[]): Finding => {
  const status = ORDER.find((one) => findings.some((finding) => finding.status === one)) ?? 'passed'
  const wrong = findings.filter((finding) => finding.remedy !== undefined)
  if (wrong.length === 0) return findings.find((finding) => finding.status === status)!
  return { status, detail: wrong.map(({ detail }) => detail).join('; '), remedy: [...new Set(wrong.map(({ remedy }) => remedy))].join(' ') }
}
