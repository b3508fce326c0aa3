/** Names a Unix socket by a path short enough for the kernel: 104 bytes on macOS, 108 on Linux, with the closing zero. */
import { closeSync, openSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { Refusal } from '../lib/errors.js'

const MAX_PATH_BYTES = 103

export interface SocketName {
  path: string
  /** Gives back what the name is made of; the socket needs it for binding and connecting only. */
  release (): void
}

export function socketName (socket: string): SocketName {
  const short = [socket, relative('', socket)].find((path) => Buffer.byteLength(path) <= MAX_PATH_BYTES)
  if (short !== undefined) return { path: short, release () {} }
  if (platform() !== 'linux') {
    throw new Refusal(`The path of the socket ${socket} is too long for this system: choose a data folder with a shorter path.`)
  }
  // The folder's descriptor stands for its path, however long that is.
  const folder = openSync(dirname(socket), 'r')
  return { path: join('/proc/self/fd', `${folder}`, basename(socket)), release () { closeSync(folder) } }
}
