/** The files of the machine, in the few verbs that changing an agent's file takes. */
import { accessSync, constants, existsSync } from 'node:fs'
import {
  chmod, chown, lstat, mkdir, open, readFile, readlink, realpath, rename, rm, rmdir, stat, unlink
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { randomBytes } from 'node:crypto'

export interface FileInfo {
  /** The file itself, behind any links. */
  path: string
  kind: 'file' | 'missing' | 'other'
  size: number
  /** Permission bits. */
  mode: number
  writable: boolean
}

export interface FileSystem {
  exists (path: string): boolean
  find (path: string): Promise<FileInfo>
  /** The path without any links in it, also of what is not there yet. */
  real (path: string): Promise<string>
  read (path: string): Promise<Buffer>
  /** All or nothing: beside it first, then in its place. A file that is there keeps its mode and owner. */
  replace (path: string, text: string, mode: number): Promise<void>
  /** Fails where the file is there already. */
  create (path: string, text: string, mode: number): Promise<void>
  remove (path: string): Promise<void>
  /** Makes the folder and those above it; says which it made, outermost first. */
  makeFolder (path: string): Promise<string[]>
  /** Only when it is empty; quietly otherwise. */
  removeFolder (path: string): Promise<void>
}

const MAX_LINKS = 16

export const openFileSystem = (): FileSystem => ({
  exists: existsSync,

  async find (path) {
    const target = await follow(resolve(path))
    const found = await stat(target).catch(unlessMissing)
    if (!found) {
      return {
        path: target,
        kind: 'missing',
        size: 0,
        mode: 0o600,
        writable: isWritable(existingFolder(target))
      }
    }
    return {
      path: target,
      kind: found.isFile() ? 'file' : 'other',
      size: found.size,
      mode: found.mode & 0o777,
      // It is replaced, so that its folder counts too; what is marked read-only stays so, also where root could
      // write it.
      writable: (found.mode & 0o222) !== 0 && isWritable(target) && isWritable(dirname(target))
    }
  },

  async real (path) {
    const target = await follow(resolve(path))
    const found = await realpath(target).catch(unlessMissing)
    return found ?? join(await this.real(dirname(target)), basename(target))
  },

  read: (path) => readFile(path),

  async replace (path, text, mode) {
    const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)
    try {
      await write(beside, text, 0o600)
      const old = await stat(path).catch(unlessMissing)
      if (old) await chown(beside, old.uid, old.gid).catch(ownedByUs(old.uid))
      await chmod(beside, mode)
      await rename(beside, path)
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
    await syncFolder(dirname(path))
  },

  create: (path, text, mode) => write(path, text, mode),
  remove: (path) => unlink(path),

  async makeFolder (path) {
    const first = await mkdir(path, { recursive: true, mode: 0o700 })
    if (first === undefined) return []
    const made: string[] = []
    for (let folder = path; folder.length >= first.length; folder = dirname(folder)) made.unshift(folder)
    return made
  },

  async removeFolder (path) {
    await rmdir(path).catch(() => {})
  }
})

/** Where links lead, also to a file that is not there yet. */
async function follow (path: string): Promise<string> {
  for (let links = 0; links < MAX_LINKS; links++) {
    const found = await lstat(path).catch(unlessMissing)
    if (!found?.isSymbolicLink()) return path
    path = resolve(dirname(path), await readlink(path))
  }
  throw new Error('the links go round in a circle')
}

async function write (path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder (path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined) // not on Windows
  await folder?.sync().catch(() => {})
  await folder?.close()
}

const unlessMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}

/** Another's file that we may write keeps its mode; its owner only root can give. */
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
