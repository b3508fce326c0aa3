/** Shortens the path of a Unix socket for the kernel: 104 bytes on macOS, 108 on Linux, with the closing zero. */
import { closeSync, openSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { Refusal } from '../lib/errors.js'

const MAX_PATH_BYTES = 103

export interface SocketName {
  path: string
  /** Releases the descriptor behind the path. The socket needs the path only to bind and to connect. */
  release (): void
}

/** A path to `socket` of at most 103 bytes. @throws {Refusal} when there is none, which happens only outside Linux */
export function socketName (socket: string): SocketName {
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
