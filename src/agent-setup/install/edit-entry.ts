/** Opens an agent's file, edits the entry of a registration in its text, and compares it with its backups. */
import { errorCode } from '../../lib/error-code.js'
import { requireRefusal } from '../../lib/errors.js'
import type { Agent, ConfigScope, SecretReference } from '../registry/agent.js'
import type { Trace } from '../config-files/editor.js'
import { put, readTree, take } from '../config-files/edit.js'
import { at, treeOf, type Path, type Tree } from '../config-files/tree.js'
import { digestOf, withPreservedFields, type valuesOf } from './entry-template.js'
import type { Host } from '../file-system.js'

/** The record of an entry that was written into an agent's file, as needed to remove exactly that. Has no secrets. */
export interface Registration {
  agent: string
  name: string
  url: string
  scope: ConfigScope
  file: string
  secret: SecretReference['kind']
  puts: Array<{ path: Path, trace: Trace, digest: string }>
  /** Folders created for the file, outermost first; absent when the file existed before. */
  made?: string[]
  /** The permission bits of the file before it was made private; absent when they were not changed. */
  modeBefore?: number
  /** Copies of the file before each change. */
  backups: string[]
}

/** What is written, in order. */
export type EntryValues = NonNullable<ReturnType<typeof valuesOf>>

/** The text with the values in it, and without the values of `earlier` that are not among them. */
export function editEntry (
  agent: Agent, text: string, values: EntryValues, earlier?: Registration
): { after: string, puts: Registration['puts'] } {
  const tree = readTree(agent.format, text)
  const isWanted = (path: Path) => values.some((value) => pathText(value.path) === pathText(path))
  let after = text
  for (const { path, trace, digest } of earlier?.puts.toReversed() ?? []) {
    const found = at(tree, path)
    const isOurs = found !== undefined && digestOf(found, agent) === digest
    if (isOurs && !isWanted(path)) after = take(agent.format, after, path, trace)
  }
  const puts = values.map(({ path, value }) => {
    const found = at(tree, path)
    const done = put(agent.format, after, path, withPreservedFields(value, found, agent))
    after = done.text
    const recorded = earlier?.puts.find((one) => pathText(one.path) === pathText(path))
    const trace = found === undefined ? done.trace : recorded?.trace ?? done.trace
    return { path, trace, digest: digestOf(treeOf(value), agent) }
  })
  return { after, puts }
}

/** A sentence when an entry of this name is of someone else, or was changed by someone else. */
export function foreignEntry (
  agent: Agent, tree: Tree | undefined, values: EntryValues, earlier?: Registration
): string | undefined {
  for (const { path, value } of values) {
    const found = at(tree, path)
    const digests = [digestOf(treeOf(value), agent), ...earlier?.puts.map(({ digest }) => digest) ?? []]
    if (found !== undefined && !digests.includes(digestOf(found, agent))) {
      return `${pathText(path)} is there already and says something else; it is left as it is. ` +
        'Choose another name, or remove it first.'
    }
  }
}

/** Whether nothing is left of a file that was created for the registration. */
export const isEmptyOnceRemoved = (text: string, { puts }: Registration): boolean =>
  text === (puts[0]?.trace.hollow ?? '')

export const removeEntry = (agent: Agent, text: string, { puts }: Registration): string =>
  puts.toReversed().reduce((left, { path, trace }) => take(agent.format, left, path, trace), text)

/** Paths of the backups that equal `left`, a text without the entry, once the entry is removed from them too. */
export async function sameBackups (agent: Agent, left: string, record: Registration, host: Host): Promise<string[]> {
  const same: string[] = []
  for (const backup of record.backups) {
    const backupFile = await openFile(backup, host)
    if ('problem' in backupFile || backupFile.text === undefined) continue
    try {
      if (removeEntry(agent, backupFile.text, record) === left) same.push(backup)
    } catch (error) {
      requireRefusal(error)
    }
  }
  return same
}

/** Whether no backup is needed: an older one has everything else of the file, or there is nothing else in it. */
export async function isCovered (agent: Agent, text: string, earlier: Registration, host: Host): Promise<boolean> {
  const left = removeEntry(agent, text, earlier)
  if (earlier.made !== undefined && isEmptyOnceRemoved(left, earlier)) return true
  return (await sameBackups(agent, left, earlier, host)).length > 0
}

export const pathText = (path: Path): string => path.map((step) => typeof step === 'string' ? step : step.id).join('.')

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const MAX_BYTES = 16 * 1024 * 1024

/** Reads at most 16 MiB of UTF-8 text. Resolves to a problem, with a sentence, for anything else. */
export async function openFile (
  file: string, { fileSystem }: Host
): Promise<{ path: string, text: string | undefined, mode: number, writable: boolean } | { problem: string }> {
  try {
    const found = await fileSystem.find(file)
    if (found.kind === 'other') return { problem: 'it is not a file.' }
    if (found.size > MAX_BYTES) {
      return { problem: `it has ${found.size} bytes, more than an agent's settings should.` }
    }
    const text = found.kind === 'missing' ? undefined : UTF8.decode(await fileSystem.read(found.path))
    return { path: found.path, text, mode: found.mode, writable: found.writable }
  } catch (error) {
    return { problem: reasonOf(error) }
  }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof TypeError) return 'it is not UTF-8 text.'
  return `it cannot be read (${errorCode(error) ?? (error instanceof Error ? error.message : String(error))}).`
}
