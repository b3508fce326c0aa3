/**
 * The credentials file: the tokens of this user, by server and name, and the entries that use them. Only the user may
 * read it. It is replaced in one step, and locked by one process at a time.
 */
import { closeSync, constants, fstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { chmod, mkdir, open, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fsx from 'fs-native-extensions'
import schema from '#schemas/credentials_file.json' with { type: 'json' }
import { kindOf } from '../../access/credentials/credential-form.js'
import { undefinedIfMissing } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import { validator } from '../../lib/schema/validator.js'
import type { Host } from '../file-system.js'
import type { Registration } from '../install/edit-entry.js'
import { locate } from '../registry/paths.js'
import { parseJsonOrUndefined } from '../../lib/json/json-depth.js'

export interface StoredToken {
  token: string
  id: string
  kind: 'api_key' | 'personal_access_token'
  /** RFC 3339; null: never. */
  expires_at: string | null
  user?: string
}

export interface StoredServer {
  tokens: Record<string, StoredToken>
  /** Tokens that replace those of the same name, in a rotation that has not ended. */
  next: Record<string, StoredToken>
  /** Tokens that no entry uses any more and that could not be revoked yet. */
  retired: StoredToken[]
  registrations: Array<{ token: string, registration: Registration }>
}

export interface Stored { version: 1, servers: Record<string, StoredServer> }

export type CredentialsFile = Awaited<ReturnType<typeof holdCredentials>>

const check = validator<Stored>(schema)

export const credentialsPath = (host: Pick<Host, 'platform' | 'home' | 'env'>): string =>
  join(configDir(host), 'credentials.json')

/** Reads the file; empty when there is none. Refuses one that others can read, or that is damaged. */
export async function readCredentials (host: Host): Promise<Stored> {
  const path = credentialsPath(host)
  const found = await stat(path).catch(undefinedIfMissing)
  if (!found) return { version: 1, servers: {} }
  if (host.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    throw new Refusal(`${path} can be read by others, so it is not used. If you trust what is in it, run: ` +
      `chmod 600 '${path}'. Others may have read the tokens: run init --rotate afterwards.`)
  }
  const text = (await host.fileSystem.read(path)).toString()
  const checked = check(parseJsonOrUndefined(text))
  if (!checked.ok) {
    throw new Refusal(`${path} is not what this version writes (${checked.faults[0] ?? 'no JSON'}). ` +
      'Correct it, or move it away.')
  }
  return checked.value
}

/** Locks the file, or refuses while another process holds the lock, and reads it. */
export async function holdCredentials (host: Host) {
  const path = credentialsPath(host)
  const folder = dirname(path)
  const lock = takeLock(join(folder, 'lock'))
  const release = async (): Promise<void> => {
    await rm(join(folder, 'lock'), { force: true })
    closeSync(lock)
    // The folder is removed again if nothing was written.
    await rmdir(folder).catch(() => {})
  }
  try {
    const stored = await readCredentials(host)
    return {
      /** Changed by the holder of the lock, and written by `save`. */
      stored,
      async save (): Promise<void> {
        // Never write what this version could not read.
        const checked = check(structuredClone(stored))
        if (!checked.ok) {
          throw new Refusal(`What is to be stored is not of the form that ${path} has (${checked.faults[0] ?? ''}).`)
        }
        await chmod(folder, 0o700)
        if (Object.keys(stored.servers).length === 0) await rm(path, { force: true })
        else {
          const { path: target } = await host.fileSystem.find(path)
          await host.fileSystem.replace(target, `${JSON.stringify(stored, undefined, 2)}\n`, 0o600)
        }
      },
      release
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** The kernel releases the lock when the process is killed. */
function takeLock (path: string): number {
  for (;;) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const lock = openSync(path, 'a+', 0o600)
    if (!fsx.tryLock(lock)) {
      closeSync(lock)
      throw new Refusal('Another init, or uninstall, is under way for this user: let it end first.', 'conflict')
    }
    // The former holder removes the file with the lock: then this one is not the file that others see.
    if (statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(lock).ino) return lock
    closeSync(lock)
  }
}

export const tokenFileOf = (host: Pick<Host, 'platform' | 'home' | 'env'>, url: string, name: string): string =>
  join(configDir(host), 'tokens', `${new URL(url).host}-${name}`.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 120))

export async function writeTokenFile (host: Host, path: string, token: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await host.fileSystem.replace(path, token, 0o600)
}

const MAX_TOKEN_FILE_BYTES = 10_000

/**
 * The credential in the file. Undefined when it cannot be read, is no plain file, or contains anything else: the
 * reference may point at another secret of this machine, which must not be sent.
 * @param path absolute, or below `~/`
 */
export async function readTokenFile (path: string, { home }: Pick<Host, 'home'>): Promise<string | undefined> {
  const content = await contentOf(path.replace(/^~(?=\/)/, () => home)).catch(() => undefined)
  return kindOf(content) && content
}

async function contentOf (path: string): Promise<string | undefined> {
  // Opened without blocking: a pipe without a writer would never open.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    return found.isFile() && found.size <= MAX_TOKEN_FILE_BYTES ? (await file.readFile('utf8')).trim() : undefined
  } finally {
    await file.close()
  }
}

export async function removeTokenFile (path: string): Promise<void> {
  await rm(path, { force: true })
  await rmdir(dirname(path)).catch(() => {})
}

export function serverIn ({ servers }: Stored, url: string): StoredServer {
  servers[url] ??= { tokens: {}, next: {}, retired: [], registrations: [] }
  return servers[url]
}

/** Looks a name up that may be any word, also that of an inherited property. */
export const tokenIn = (tokens: Readonly<Record<string, StoredToken>>, name: string): StoredToken | undefined =>
  Object.hasOwn(tokens, name) ? tokens[name] : undefined

export const tokenTextIn = (tokens: Readonly<Record<string, StoredToken>>, name: string): string => {
  const stored = tokenIn(tokens, name)
  if (!stored) throw new Error(`the credentials file has no token ${name}`)
  return stored.token
}

/**
 * `$XDG_CONFIG_HOME/exploration-mcp`, if that is set to an absolute path; else `%APPDATA%\exploration-mcp` on
 * Windows, `~/Library/Application Support/exploration-mcp` on macOS and `~/.config/exploration-mcp` elsewhere.
 */
const configDir = (host: Pick<Host, 'platform' | 'home' | 'env'>): string =>
  locate('$XDG_CONFIG_HOME/exploration-mcp', host) ?? locate('<data>/exploration-mcp', host) ?? ''
