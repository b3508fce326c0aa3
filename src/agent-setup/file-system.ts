/** The machine whose agents are configured, and the file operations that are needed to change an agent's file. */
import { accessSync, constants, existsSync } from 'node:fs'
import {
  chmod, chown, lstat, mkdir, open, readFile, readlink, realpath, rename, rm, rmdir, stat, unlink, writeFile
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { randomBytes } from 'node:crypto'
import { undefinedIfMissing } from '../lib/error-code.js'

export type FileSystem = typeof fileSystem

export interface Host {
  platform: NodeJS.Platform
  home: string
  env: Readonly<Record<string, string | undefined>>
  fileSystem: FileSystem
}

const MAX_LINKS = 16

/** The files of this machine. Methods reject with the system's errors. */
export const fileSystem = {
  exists: (path: string): boolean => existsSync(path),
  read: (path: string): Promise<Buffer> => readFile(path),
  remove: (path: string): Promise<void> => unlink(path),

  /** `path` is the file itself, with links resolved; `mode` are its permission bits. */
  async find (path: string) {
    const target = await follow(resolve(path))
    const found = await stat(target).catch(undefinedIfMissing)
    if (!found) {
      return { path: target, kind: 'missing', size: 0, mode: 0o600, writable: isWritable(existingFolder(target)) }
    }
    return {
      path: target,
      kind: found.isFile() ? 'file' : 'other',
      size: found.size,
      mode: found.mode & 0o777,
      // It is replaced, so its folder must be writable too. A read-only file stays as it is, even for root.
      writable: (found.mode & 0o222) !== 0 && isWritable(target) && isWritable(dirname(target))
    }
  },

  /** The path with all links resolved; the file need not exist. */
  async real (path: string): Promise<string> {
    const target = await follow(resolve(path))
    const found = await realpath(target).catch(undefinedIfMissing)
    return found ?? join(await fileSystem.real(dirname(target)), basename(target))
  },

  /** Writes a new file beside it and renames it. An existing file keeps its owner. */
  async replace (path: string, text: string, mode: number): Promise<void> {
    const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
    try {
      await fileSystem.create(beside, text, 0o600)
      const old = await stat(path).catch(undefinedIfMissing)
      if (old) await chown(beside, old.uid, old.gid).catch(ownedByUs(old.uid))
      await chmod(beside, mode)
      await rename(beside, path)
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
    await syncFolder(dirname(path))
  },

  create: (path: string, text: string, mode: number): Promise<void> =>
    writeFile(path, text, { flag: 'wx', mode, flush: true }),

  /** Creates the folder and those above it. Resolves to the created ones, outermost first. */
  async makeFolder (path: string): Promise<string[]> {
    const first = await mkdir(path, { recursive: true, mode: 0o700 })
    if (first === undefined) return []
    const createdFolders: string[] = []
    for (let folder = path; folder.length >= first.length; folder = dirname(folder)) createdFolders.unshift(folder)
    return createdFolders
  },

  removeFolder: (path: string): Promise<void> => rmdir(path).catch(() => {})
}

/** Resolves links; the target need not exist. */
async function follow (path: string): Promise<string> {
  for (let links = 0; links < MAX_LINKS; links++) {
    const found = await lstat(path).catch(undefinedIfMissing)
    if (!found?.isSymbolicLink()) return path
    path = resolve(dirname(path), await readlink(path))
  }
  throw new Error('the links go round in a circle')
}

async function syncFolder (path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined) // not on Windows
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/** Only root can give the owner of a file away; another user's file that we may write gets our owner. */
const ownedByUs = (uid: number) => (error: unknown) => {
  if (uid !== process.getuid?.()) throw error
}

const existingFolder = (path: string): string => {
  let folder = dirname(path)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
