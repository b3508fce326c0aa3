/** Plans the registration with an agent, or its removal: computed and shown before anything is written. */
import { sep } from 'node:path'
import type { Agent, ConfigScope } from '../registry/agent.js'
import { diffOf } from '../config-files/diff.js'
import { readTree, snippetOf } from '../config-files/edit.js'
import { at } from '../config-files/tree.js'
import { digestOf, valuesOf, type TemplateValues } from './entry-template.js'
import {
  editEntry, foreignEntry, isCovered, isEmptyOnceRemoved, openFile, pathText, removeEntry, sameBackups,
  type Registration
} from './edit-entry.js'
import { requireRefusal } from '../../lib/errors.js'
import type { Host } from '../file-system.js'
import { fileOf } from '../registry/paths.js'

export interface InstallPlan {
  /** The path as the agent knows it. */
  file: string
  path: string
  before: string | undefined
  /** Undefined when the file is deleted. */
  after: string | undefined
  mode: number
  diff: string
  /** No backup is needed: an older one has everything of the file but this entry. */
  covered?: true
  /** A secret goes into a file that other users can read: `mode` makes it private. */
  exposed?: true
  /** Why it is not done. The plan then changes nothing. */
  problem?: PlanProblem
  /** To be stored once the plan is applied. */
  registration?: Registration
  /** Files and folders that were created for the registration, to remove once the plan is applied. */
  leftovers?: { backups: string[], folders: string[] }
}

export interface PlanProblem {
  message: string
  /** `unsupported`: the agent has no such file or reference; `changed`: the entry is not as it was put there. */
  reason?: 'unsupported' | 'changed'
  /** What to add to the file by hand. It may contain the secret: show it to the user, never log it. */
  snippet?: string
}

export type PlanRequest = TemplateValues & { scope: ConfigScope, projectFolder?: string }

const PRIVATE = 0o600

const nothingIn = (file = ''): InstallPlan =>
  ({ file, path: file, before: undefined, after: undefined, mode: PRIVATE, diff: '' })

/** `earlier` is the stored record of this registration, if any: its entry may be changed. */
export async function planRegistration (
  agent: Agent, request: PlanRequest, host: Host, earlier?: Registration
): Promise<InstallPlan> {
  const file = earlier?.file ?? fileOf(agent, request.scope, host, request.projectFolder)
  const nothing = nothingIn(file)
  const unsupported = (message: string): InstallPlan => ({ ...nothing, problem: { message, reason: 'unsupported' } })

  if (file === undefined) return unsupported(`${agent.name} has no file for a project.`)
  const values = valuesOf(agent, request)
  if (!values) return unsupported(`${agent.name} cannot take its secret from a ${request.secret.kind}.`)
  if (request.scope === 'project' && request.secret.kind === 'token') {
    return unsupported(`${file} is shared with the project: no secret is written into it.`)
  }
  const snippet = snippetOf(agent.format, values)
  const byHand = (message: string): InstallPlan =>
    ({ ...nothing, problem: { message: `${file}: ${message}`, snippet } })

  const openedFile = await openFile(file, host)
  if ('problem' in openedFile) return byHand(openedFile.problem)
  const { path, text, mode, writable } = openedFile
  if (request.scope === 'project' && !await isInside(request.projectFolder ?? '.', path, host)) {
    return byHand('it is a link that leads out of the project.')
  }
  Object.assign(nothing, { path, before: text, after: text, mode })
  try {
    const tree = readTree(agent.format, text ?? '')
    const foreign = foreignEntry(agent, tree, values, earlier)
    if (foreign) return byHand(foreign)
    const { after, puts } = editEntry(agent, text ?? '', values, earlier)
    if (after !== text && !writable) return byHand('it is read-only.')
    const isThere = earlier?.puts.some((put) => at(tree, put.path) !== undefined)
    const creation = text === undefined || isThere ? earlier?.made : undefined
    const exposed = request.secret.kind === 'token' && (mode & 0o077) !== 0 && host.platform !== 'win32'
    const modeBefore = earlier?.modeBefore ?? (exposed && text !== undefined ? mode : undefined)
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
      ...creation ? { made: creation } : text === undefined && { made: [] }
    }
    const secrets = request.secret.kind === 'token' ? [request.secret.value] : []
    const covered = earlier !== undefined && text !== undefined && await isCovered(agent, text, earlier, host)
    return {
      ...nothing,
      after,
      diff: diffOf(file, text, after, secrets),
      registration,
      ...exposed && { exposed, mode: PRIVATE },
      ...covered && { covered }
    }
  } catch (error) {
    return byHand(requireRefusal(error).message)
  }
}

/** Removes what the record says was written, unless it was changed since. */
export async function planRemoval (agent: Agent, record: Registration, host: Host): Promise<InstallPlan> {
  const nothing = nothingIn(record.file)
  const places = record.puts.map(({ path }) => pathText(path)).join(' and ')
  const refuse = (message: string, reason?: 'changed'): InstallPlan =>
    ({ ...nothing, problem: { message: `${record.file}: ${message} Take out ${places} by hand.`, reason } })

  const openedFile = await openFile(record.file, host)
  if ('problem' in openedFile) return refuse(openedFile.problem)
  const { path, text, mode, writable } = openedFile
  Object.assign(nothing, { path, before: text, after: text, mode })
  if (text === undefined) return { ...nothing, leftovers: { backups: [], folders: record.made ?? [] } }
  try {
    const tree = readTree(agent.format, text)
    const changed = record.puts.find((put) => {
      const found = at(tree, put.path)
      return found !== undefined && digestOf(found, agent) !== put.digest
    })
    if (changed) {
      const what = `${pathText(changed.path)} was changed since it was put there, so it is left as it is.`
      return refuse(what, 'changed')
    }
    const left = removeEntry(agent, text, record)
    const after = record.made && isEmptyOnceRemoved(left, record) ? undefined : left
    if (after !== text && !writable) return refuse('it is read-only.')
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
    return refuse(requireRefusal(error).message)
  }
}

/** Links in a project are written by others: one that leads out of it is not followed. */
async function isInside (folder: string, path: string, { fileSystem }: Host): Promise<boolean> {
  const [top, found] = await Promise.all([fileSystem.real(folder), fileSystem.real(path)])
  return found.startsWith(top.endsWith(sep) ? top : top + sep)
}
