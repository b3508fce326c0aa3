/** What registering with an agent, or taking that back, would change: worked out and shown before a byte is written. */
import { basename, sep } from 'node:path'
import { Refusal } from '../../lib/errors.js'
import type { Agent, ConfigScope } from '../registry/agent.js'
import { diffOf } from '../config-files/diff.js'
import { put, readTree, snippetOf, take } from '../config-files/edit.js'
import type { Path, Tree } from '../config-files/editor.js'
import { at, treeOf } from '../config-files/tree.js'
import { digestOf, withPreservedFields, valuesOf } from './entry-template.js'
import type { TemplateValues } from './entry-template.js'
import type { Host } from '../host.js'
import { fileOf } from '../registry/paths.js'
import type { Registration } from './registration.js'

export interface InstallPlan {
  agent: string
  /** As the agent knows it. */
  file: string
  /** The file itself, behind links. */
  path: string
  before: string | undefined
  /** Undefined: the file goes. */
  after: string | undefined
  mode: number
  /** For showing; empty when nothing changes. */
  diff: string
  /** No backup is needed: one from before has everything of the file but our entry. */
  covered?: true
  /** A secret goes into a file that others on this machine can read: `mode` makes it private. */
  exposed?: true
  /** Why it is not done. The plan changes nothing then. */
  problem?: PlanProblem
  /** To be kept once it is applied. */
  registration?: Registration
  /** Once it is applied, files and folders that were made for the registration and are not needed. */
  leftovers?: { backups: string[], folders: string[] }
}

export interface PlanProblem {
  reason: 'no_project_file' | 'no_such_secret' | 'secret_in_project' | 'unreadable' | 'too_large' | 'refused' | 'taken' | 'changed' | 'read_only' | 'leads_out'
  message: string
  /** What to put into the file by hand, with the secret where one is written: for the user's eyes, never for a log. */
  snippet?: string
}

export type PlanRequest = TemplateValues & { scope: ConfigScope, projectFolder?: string }

type Puts = NonNullable<ReturnType<typeof valuesOf>>

const PRIVATE = 0o600
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const MAX_BYTES = 16 * 1024 * 1024

/** `earlier` is what is kept of this registration from before, when there is one: its entry is ours to change. */
export async function planRegistration (
  agent: Agent, request: PlanRequest, host: Host, earlier?: Registration
): Promise<InstallPlan> {
  const file = earlier?.file ?? fileOf(agent, request.scope, host, request.projectFolder)
  const nothing: InstallPlan = {
    agent: agent.id,
    file: file ?? '',
    path: file ?? '',
    before: undefined,
    after: undefined,
    mode: 0o600,
    diff: ''
  }
  const refuse = (reason: PlanProblem['reason'], message: string, snippet?: string): InstallPlan =>
    ({ ...nothing, problem: { reason, message, ...snippet !== undefined && { snippet } } })

  if (file === undefined) return refuse('no_project_file', `${agent.name} has no file for a project.`)
  const values = valuesOf(agent, request)
  if (!values) return refuse('no_such_secret', `${agent.name} cannot take its secret from a ${request.secret.kind}.`)
  if (request.scope === 'project' && request.secret.kind === 'token') {
    return refuse('secret_in_project', `${file} is shared with the project: no secret is written into it.`)
  }
  const snippet = values.map(({ path, value }) => snippetOf(agent.format, path, value)).join('\n')
  const byHand = (reason: PlanProblem['reason'], message: string) => refuse(reason, `${file}: ${message}`, snippet)

  const openedFile = await open(file, host)
  if ('problem' in openedFile) return byHand(...openedFile.problem)
  if (request.scope === 'project' && !await isInside(request.projectFolder ?? '.', openedFile.path, host)) {
    return byHand('leads_out', 'it is a link that leads out of the project.')
  }
  Object.assign(nothing, {
    path: openedFile.path, before: openedFile.text, after: openedFile.text, mode: openedFile.mode
  })
  try {
    const tree = readTree(agent.format, openedFile.text ?? '')
    const foreign = foreignEntry(agent, tree, values, earlier)
    if (foreign) return byHand('taken', foreign)
    const { after, puts } = edit(agent, openedFile.text ?? '', values, earlier)
    if (after !== openedFile.text && !openedFile.writable) return byHand('read_only', 'it is read-only.')
    const isThere = earlier?.puts.some((put) => at(tree, put.path) !== undefined)
    const made = openedFile.text === undefined || isThere ? earlier?.made : undefined
    const exposed = request.secret.kind === 'token' && (openedFile.mode & 0o077) !== 0 && host.platform !== 'win32'
    const modeBefore = earlier?.modeBefore ?? (exposed && openedFile.text !== undefined ? openedFile.mode : undefined)
    const registration: Registration = {
      agent: agent.id,
      name: request.name,
      url: request.url,
      scope: request.scope,
      file,
      secret: request.secret.kind,
      puts,
      backups: earlier?.backups ?? [],
      ...modeBefore !== undefined && { modeBefore },
      ...made ? { made } : openedFile.text === undefined && { made: [] }
    }
    const secrets = request.secret.kind === 'token' ? [request.secret.value] : []
    const covered = earlier !== undefined && openedFile.text !== undefined && await isCovered(agent, openedFile.text, earlier, host)
    return {
      ...nothing,
      after,
      diff: diffOf(file, openedFile.text, after, secrets),
      registration,
      ...exposed && { exposed, mode: PRIVATE },
      ...covered && { covered }
    }
  } catch (error) {
    if (error instanceof Refusal) return byHand('refused', error.message)
    throw error
  }
}

/** Takes out what the record says was put in, unless somebody changed it since. */
export async function planRemoval (agent: Agent, record: Registration, host: Host): Promise<InstallPlan> {
  const nothing: InstallPlan = {
    agent: agent.id,
    file: record.file,
    path: record.file,
    before: undefined,
    after: undefined,
    mode: 0o600,
    diff: ''
  }
  const places = record.puts.map(({ path }) => pathText(path)).join(' and ')
  const refuse = (reason: PlanProblem['reason'], message: string): InstallPlan =>
    ({ ...nothing, problem: { reason, message: `${record.file}: ${message} Take out ${places} by hand.` } })

  const openedFile = await open(record.file, host)
  if ('problem' in openedFile) return refuse(...openedFile.problem)
  const { path, text, mode, writable } = openedFile
  Object.assign(nothing, { path, before: text, after: text, mode })
  if (text === undefined) return { ...nothing, leftovers: { backups: [], folders: record.made ?? [] } }
  try {
    const tree = readTree(agent.format, text)
    const changed = record.puts.find((put) => {
      const found = at(tree, put.path)
      return found !== undefined && digestOf(found, agent) !== put.digest
    })
    if (changed) return refuse('changed', `${pathText(changed.path)} was changed since it was put there, so it is left as it is.`)
    const left = takenOut(agent, text, record)
    const after = record.made && isHollow(left, record) ? undefined : left
    if (after !== text && !writable) return refuse('read_only', 'it is read-only.')
    return {
      ...nothing,
      after,
      mode: record.modeBefore !== undefined && mode === PRIVATE ? record.modeBefore : mode,
      diff: diffOf(record.file, text, after, []),
      leftovers: {
        backups: await sameBackups(agent, left, record, host), folders: after === undefined ? record.made ?? [] : []
      }
    }
  } catch (error) {
    if (error instanceof Refusal) return refuse('refused', error.message)
    throw error
  }
}

/** A project is somebody else's word: its links are not followed to wherever they lead. */
async function isInside (folder: string, path: string, { fileSystem }: Host): Promise<boolean> {
  const [top, found] = await Promise.all([fileSystem.real(folder), fileSystem.real(path)])
  return found.startsWith(top.endsWith(sep) ? top : top + sep)
}

/** The text with the values in it, and without what was put in before and is not wanted any more. */
function edit (
  agent: Agent, text: string, values: Puts, earlier?: Registration
): { after: string, puts: Registration['puts'] } {
  const tree = readTree(agent.format, text)
  const isWanted = (path: Path) => values.some((value) => pathText(value.path) === pathText(path))
  let after = text
  for (const { path, trace, digest } of earlier?.puts.toReversed() ?? []) {
    const found = at(tree, path)
    if (!isWanted(path) && found !== undefined && digestOf(found, agent) === digest) after = take(agent.format, after, path, trace)
  }
  const puts = values.map(({ path, value }) => {
    const found = at(tree, path)
    const done = put(agent.format, after, path, withPreservedFields(value, found, agent))
    after = done.text
    const recorded = found === undefined ? undefined : earlier?.puts.find((put) => pathText(put.path) === pathText(path))
    return { path, trace: recorded?.trace ?? done.trace, digest: digestOf(treeOf(value), agent) }
  })
  return { after, puts }
}

type OpenedFile = { path: string, text: string | undefined, mode: number, writable: boolean }

async function open (
  file: string, { fileSystem }: Host
): Promise<OpenedFile | { problem: [reason: PlanProblem['reason'], message: string] }> {
  try {
    const found = await fileSystem.find(file)
    if (found.kind === 'other') return { problem: ['unreadable', 'it is not a file.'] }
    if (found.size > MAX_BYTES) return { problem: ['too_large', `it has ${found.size} bytes, more than an agent's settings should.`] }
    const text = found.kind === 'missing' ? undefined : UTF8.decode(await fileSystem.read(found.path))
    return { path: found.path, text, mode: found.mode, writable: found.writable }
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8 text.' : `it cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).`
    return { problem: ['unreadable', reason] }
  }
}

/** Somebody else's entry under our name, or ours after somebody changed it. */
function foreignEntry (agent: Agent, tree: Tree | undefined, values: Puts, earlier?: Registration): string | undefined {
  for (const { path, value } of values) {
    const found = at(tree, path)
    const digests = [digestOf(treeOf(value), agent), ...earlier?.puts.map(({ digest }) => digest) ?? []]
    if (found !== undefined && !digests.includes(digestOf(found, agent))) {
      return `${pathText(path)} is there already and says something else; it is left as it is. Choose another name, or take it out first.`
    }
  }
}

/** Whether nothing is left of a file that was made for the registration. */
const isHollow = (text: string, { puts }: Registration): boolean => text === (puts[0]?.trace.hollow ?? '')

const takenOut = (agent: Agent, text: string, { puts }: Registration): string =>
  puts.toReversed().reduce((left, { path, trace }) => take(agent.format, left, path, trace), text)

/** Backups that differ from this text, which has no entry of ours, by that entry alone. */
async function sameBackups (agent: Agent, left: string, record: Registration, host: Host): Promise<string[]> {
  const found: string[] = []
  for (const backup of record.backups) {
    const openedFile = await open(backup, host)
    if ('problem' in openedFile || openedFile.text === undefined) continue
    try {
      if (takenOut(agent, openedFile.text, record) === left) found.push(backup)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return found
}

/** By a backup from before, or because nothing in the file is anybody else's. */
async function isCovered (agent: Agent, text: string, earlier: Registration, host: Host): Promise<boolean> {
  const left = takenOut(agent, text, earlier)
  return (earlier.made !== undefined && isHollow(left, earlier)) || (await sameBackups(agent, left, earlier, host)).length > 0
}

export const pathText = (path: Path): string => path.map((step) => typeof step === 'string' ? step : step.id).join('.')

/** How a backup beside this file is called. */
export const backupName = (file: string, count: number): string =>
  `${basename(file)}.exploration-mcp${count > 1 ? `.${count}` : ''}.bak`
