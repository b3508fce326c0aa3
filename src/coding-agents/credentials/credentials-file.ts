/**
 * The credentials file: the tokens of this user, by server and name, and what was registered with them. Nobody else
 * may read it; it is replaced in one step, and held by one process at a time.
 */
import { closeSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { chmod, mkdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fsx from 'fs-native-extensions'
import schema from '#schemas/credentials_file.json' with { type: 'json' }
import { Refusal } from '../../lib/errors.js'
import { validator } from '../../lib/schema/validator.js'
import { configDir } from './config-dir.js'
import type { Host } from '../host.js'
import type { Registration } from '../install/registration.js'
import { parseBoundedJson } from '../../lib/json-depth.js'

export interface StoredToken {
  token: string
  id: string
  kind: 'api_key' | 'personal_access_token'
  /** RFC 3339; null: never. */
  expires_at: string | null
  /** E-mail address of whom it belongs to, where that is known. */
  user?: string
}

export interface StoredServer {
  tokens: Record<string, StoredToken>
  /** Tokens that are to take the place of one of the same name, in a rotation that has not ended. */
  next: Record<string, StoredToken>
  /** Tokens that nothing uses any more and that could not be revoked yet. */
  retired: StoredToken[]
  registrations: Array<{ token: string, registration: Registration }>
}

export interface Stored { version: 1, servers: Record<string, StoredServer> }

export interface CredentialsFile {
  path: string
  /** What is in it; changed by its holder, and written by `save`. */
  stored: Stored
  save (): Promise<void>
  release (): Promise<void>
}

const check = validator<Stored>(schema)

export const credentialsPath = (host: Pick<Host, 'platform' | 'home' | 'env'>): string =>
  join(configDir(host), 'credentials.json')

/** Empty where there is none. A `Refusal` where others can read it, or where it is damaged. */
export async function readCredentials (host: Host): Promise<Stored> {
  const path = credentialsPath(host)
  const found = await stat(path).catch(unlessMissing)
  if (!found) return { version: 1, servers: {} }
  if (host.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw new Refusal(`${path} can be read by others, so it is not used. If you trust what is in it, run: chmod 600 '${path}'. ` +
      'Others may have read the tokens: run init --rotate afterwards.')
  }
  const text = (await host.fileSystem.read(path)).toString()
  const checked = check(parsed(text))
  if (!checked.ok) throw new Refusal(`${path} is not what this version writes (${checked.faults[0] ?? 'no JSON'}). Mend it, or move it away.`)
  return checked.value
}

/** Takes the file for changing. A `Refusal` while another process holds it. */
export async function holdCredentials (host: Host): Promise<CredentialsFile> {
  const path = credentialsPath(host)
  const folder = dirname(path)
  const lock = takeLock(join(folder, 'lock'))
  const release = async (): Promise<void> => {
    await rm(join(folder, 'lock'), { force: true })
    closeSync(lock)
    // What was made for nothing goes again.
    await rmdir(folder).catch(() => {})
  }
  try {
    const stored = await readCredentials(host)
    return {
      path,
      stored,
      async save () {
        // What this version would not read it does not write.
        const checked = check(structuredClone(stored))
        if (!checked.ok) throw new Refusal(`What is to be kept is not of the form that ${path} has (${checked.faults[0] ?? ''}).`)
        await chmod(folder, 0o700)
        if (Object.keys(stored.servers).length === 0) await rm(path, { force: true })
        else await host.fileSystem.replace((await host.fileSystem.find(path)).path, `${JSON.stringify(stored, undefined, 2)}\n`, 0o600)
      },
      release
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** The kernel gives it back when the process is killed. */
function takeLock (path: string): number {
  for (;;) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const lock = openSync(path, 'a+', 0o600)
    if (!fsx.tryLock(lock)) {
      closeSync(lock)
      throw new Refusal('Another init, or uninstall, is under way for this user: let it end first.', 'conflict')
    }
    // Whoever held it before takes the file away with it: then this is not the one that others see.
    if (statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(lock).ino) return lock
    closeSync(lock)
  }
}

/** Where the token lies by itself, for agents that refer to a file in place of holding it. */
export const tokenFileOf = (host: Pick<Host, 'platform' | 'home' | 'env'>, url: string, name: string): string =>
  join(configDir(host), 'tokens', `${new URL(url).host}-${name}`.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 120))

export async function writeTokenFile (host: Host, path: string, token: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await host.fileSystem.replace(path, token, 0o600)
}

export async function removeTokenFile (path: string): Promise<void> {
  await rm(path, { force: true })
  await rmdir(dirname(path)).catch(() => {})
}

/** What is kept of a server; made where there is nothing yet. */
export function serverIn ({ servers }: Stored, url: string): StoredServer {
  servers[url] ??= { tokens: {}, next: {}, retired: [], registrations: [] }
  return servers[url]
}

/** By a name that may be any word. */
export const tokenIn = (tokens: Readonly<Record<string, StoredToken>>, name: string): StoredToken | undefined =>
  Object.hasOwn(tokens, name) ? tokens[name] : undefined

const parsed = (text: string): unknown => {
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}

const unlessMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
