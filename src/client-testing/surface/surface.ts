/** What a server shows to its clients, and the lock file that keeps it; schemas/surface_lock.json has its shape. */
import { readFile, writeFile } from 'node:fs/promises'
import { unreadable, unwritable } from '../../lib/error-code.js'
import { isObject, parseObject, sortKeys, type JsonObject } from '../../lib/json/json-object.js'
import { escapeInvisible } from '../../lib/text/invisible.js'
import { WorkbenchError } from '../exit-codes.js'

/** By kind (`server`, `tools`, `resources`, `resourceTemplates`, `prompts`), then by name. */
export type Surface = Readonly<Record<string, Readonly<Record<string, unknown>>>>
export type Surfaces = Readonly<Record<string, Readonly<Record<string, Surface>>>>

const FORMAT = 'exploration-mcp-surface-lock'
const SETS = new Set(['required', 'enum', 'type', 'supportedVersions'])
/** They change with the data, not with the server. */
const VOLATILE = new Set(['size', 'lastModified'])

/** Names the items of a list; the second item of one name is `NAME#2`. Arguments of prompts are named as well. */
export const itemsByName = (items: readonly unknown[], key: string): Record<string, unknown> => {
  const named = new Map<string, unknown>()
  for (const item of items.filter(isObject)) {
    const name = String(item[key])
    let unique = name
    for (let count = 2; named.has(unique); count++) unique = `${name}#${count}`
    const { arguments: prompted } = item
    named.set(unique, withoutVolatile(
      Array.isArray(prompted) ? { ...item, arguments: itemsByName(prompted, 'name') } : item
    ))
  }
  return Object.fromEntries(named)
}

const withoutVolatile = ({ annotations, ...item }: JsonObject): JsonObject => {
  const stable = (value: JsonObject) => Object.fromEntries(Object.entries(value).filter(([key]) => !VOLATILE.has(key)))
  const kept = isObject(annotations) ? stable(annotations) : annotations
  return { ...stable(item), ...(kept !== undefined && { annotations: kept }) }
}

/** Returns the surfaces in one order, without the credential, which a server may show. */
export const withoutToken = (surfaces: Surfaces[string], token: string | undefined): Surfaces[string] => {
  const text = JSON.stringify(canonical(surfaces))
  return JSON.parse(token === undefined ? text : text.replaceAll(token, '[redacted]'))
}

/** With sorted keys, so that a commit shows what changed. @throws {WorkbenchError} `usage` */
export const writeLock = async (file: string, surfaces: Surfaces): Promise<void> => {
  const text = JSON.stringify({ format: FORMAT, version: 1, surfaces }, undefined, 2)
  try {
    await writeFile(file, `${text.split('\n').map(escapeInvisible).join('\n')}\n`)
  } catch (error) {
    throw new WorkbenchError('usage', unwritable(file, error))
  }
}

/** @throws {WorkbenchError} `usage`, when the file cannot be read or is no lock file */
export const readLock = async (file: string): Promise<Surfaces> => {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new WorkbenchError('usage', `${unreadable(`${file} (--lock)`, error)} Make it with surface lock.`)
  }
  const { format, version, surfaces } = parseObject(text) ?? {}
  if (format !== FORMAT || version !== 1 || !isSurfaces(surfaces)) {
    throw new WorkbenchError('usage', `${file} is no lock file of version 1. Make it anew with surface lock.`)
  }
  return surfaces
}

const isSurfaces = (value: unknown, depth = 3): value is Surfaces =>
  isObject(value) && (depth === 0 || Object.values(value).every((part) => isSurfaces(part, depth - 1)))

/** Sorts keys, and the lists of JSON Schema that are sets. Depth is bounded where JSON is parsed. */
export const canonical = (value: unknown): unknown => sortKeys(value, (items, key) => SETS.has(key)
  ? items.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  : items)
