/** Finds the entries for one server in the files of one agent, no matter who wrote them. */
import type { Agent, ConfigScope } from '../registry/agent.js'
import { readTree } from '../config-files/edit.js'
import { at, type Path, type Tree } from '../config-files/tree.js'
import type { Host } from '../file-system.js'
import { fileOf } from '../registry/paths.js'
import { sameEndpoint } from '../registry/endpoint-address.js'

export interface ConfigEntry {
  name: string
  entry: Map<string, Tree>
  /** The field that contains the address; undefined for an entry that starts a command with it. */
  field: string | undefined
}

export interface ConfigFile {
  scope: ConfigScope
  path: string
  open: boolean
  entries: ConfigEntry[]
}

const MAX_BYTES = 16_000_000

export async function fileWithEntries (
  agent: Agent, scope: ConfigScope, url: URL, host: Host, folder: string
): Promise<ConfigFile | undefined> {
  const path = fileOf(agent, scope, host, folder)
  if (path === undefined || !host.fileSystem.exists(path)) return undefined
  const found = await host.fileSystem.find(path)
  if (found.kind !== 'file' || found.size > MAX_BYTES) return undefined
  const tree = readTree(agent.format, (await host.fileSystem.read(found.path)).toString())
  const maps: Path[] = [agent.servers, ...(scope === 'user' ? [['projects', folder, ...agent.servers]] : [])]
  return {
    scope,
    path,
    open: host.platform !== 'win32' && (found.mode & 0o044) !== 0,
    entries: maps.flatMap((map) => entriesIn(at(tree, map), url))
  }
}

const entriesIn = (servers: Tree | undefined, url: URL): ConfigEntry[] => {
  if (!(servers instanceof Map)) return []
  return [...servers].flatMap(([name, entry]) => {
    if (!(entry instanceof Map)) return []
    const field = [...entry].find(([, value]) => isAt(value, url))?.[0]
    const command = [...entry.values()].some((value) =>
      Array.isArray(value) && value.some((argument) => isAt(argument, url)))
    return field !== undefined || command ? [{ name, entry, field }] : []
  })
}

const isAt = (value: Tree, url: URL): boolean =>
  typeof value === 'string' && URL.canParse(value) && sameEndpoint(new URL(value), url)
