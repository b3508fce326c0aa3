/** The data folder: one owner at a time, secrets that only the owner's user can read, and the management socket. */
import { randomBytes } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import fsx from 'fs-native-extensions'
import { Refusal } from '../lib/errors.js'
import { errorCode, fileFault } from '../lib/error-code.js'
import { poll } from '../lib/async/poll.js'

/** The file in which an embedded server with PLATFORM_API stores the token for gateways. */
export const PLATFORM_SECRET = 'platform-token'

/** Locked from `take` to `release`; the kernel releases the lock when the process is killed. */
export class DataFolder {
  // A bare descriptor: a file handle would be closed, and the lock with it, when it is garbage collected.
  private constructor (readonly path: string, private readonly lock: number) {}

  /** Undefined when another process, or another part of this one, owns the folder. */
  static async take (path: string, pid: number): Promise<DataFolder | undefined> {
    const lock = await openLock(path)
    try {
      if (!fsx.tryLock(lock)) {
        closeSync(lock)
        return undefined
      }
      // The lock is held: files of a former owner may be changed now.
      await chmod(path, 0o700)
      ftruncateSync(lock)
      writeSync(lock, `${pid}\n`)
      return new DataFolder(resolve(path), lock)
    } catch (error) {
      closeSync(lock)
      throw error
    }
  }

  get database (): string { return join(this.path, 'database') }

  /** Where an import keeps its temporary files. */
  get spool (): string { return this.path }

  /** A secret that is created on first use and stored, readable by no one else. */
  async secret (name: string): Promise<string> {
    const file = join(this.path, name)
    const stored = await readFile(file, 'utf8').catch(() => '')
    if (stored.trim().length >= 32) return stored.trim()
    const secret = randomBytes(32).toString('base64url')
    await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600, flush: true })
    await rename(`${file}.new`, file)
    return secret
  }

  async release (): Promise<void> {
    await rm(socketIn(this.path), { force: true })
    ftruncateSync(this.lock)
    closeSync(this.lock)
  }
}

export const socketIn = (folder: string): string => join(resolve(folder), 'management.sock')

// For the kernel: 104 on macOS, 108 on Linux, with the closing zero.
const MAX_PATH_BYTES = 103

/**
 * A path to `socket` of at most 103 bytes, for binding and connecting: `release` closes the descriptor behind it.
 * @throws {Refusal} when there is none, which happens only outside Linux
 */
export function socketName (socket: string): { path: string, release: () => void } {
  const short = [socket, relative('', socket)].find((path) => Buffer.byteLength(path) <= MAX_PATH_BYTES)
  if (short !== undefined) return { path: short, release () {} }
  if (platform() !== 'linux') {
    throw new Refusal(`The path of the socket ${socket} is too long for this system: ` +
      'choose a data folder with a shorter path.')
  }
  // On Linux the folder's descriptor stands for its path.
  const folder = openSync(dirname(socket), 'r')
  return { path: join('/proc/self/fd', `${folder}`, basename(socket)), release () { closeSync(folder) } }
}

/** For messages: `process <pid>` by the folder's lock file, or `another process` when it names none. */
export async function ownerOf (folder: string): Promise<string> {
  const pid = (await readFile(join(folder, 'lock'), 'utf8').catch(() => '')).trim()
  return /^\d{1,10}$/.test(pid) ? `process ${pid}` : 'another process'
}

// A command that found no server may lock the folder for a moment.
const WAIT = { timeoutMs: 2000, pauseMs: 50 }

/** Waits up to 2 s for the process that has it. @throws {Refusal} `conflict` when it is in use */
export const acquireDataFolder = async (dataDir: string, pid: number): Promise<DataFolder> => {
  const folder = await poll(() => DataFolder.take(dataDir, pid), WAIT)
  if (folder) return folder
  throw new Refusal(
    `The data folder ${dataDir} is in use by ${await ownerOf(dataDir)}: stop it, or choose another folder with --data.`,
    'conflict'
  )
}

async function openLock (folder: string): Promise<number> {
  try {
    await makeFolder(resolve(folder))
    return openSync(join(folder, 'lock'), 'a+', 0o600)
  } catch (error) {
    throw new Refusal(`The data folder ${folder} cannot be used${fileFault(error)}. Name another with --data.`)
  }
}

/** Makes the folder and those above it. `recursive` of mkdir never ends where a file system refuses, as /proc does. */
const makeFolder = async (folder: string): Promise<void> => {
  const make = () => mkdir(folder, { mode: 0o700 })
  try {
    await make()
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolder(dirname(folder))
    await make()
  }
}
