/** Shortens the path of a Unix socket for the kernel: 104 bytes on macOS, 108 on Linux, with the closing zero. */
import { closeSync, openSync } from 'node:fs'
import { platform } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { Refusal } from '../lib/errors.js'

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
