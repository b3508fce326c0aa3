/** Reads the beginning of a file whose name a stranger may have chosen: never a pipe or a device, which could block or never end. */
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

export interface FileStart {
  /** At most as many as were asked for. */
  bytes: Buffer
  /** Bytes of the whole file. */
  size: number
}

/**
 * The first `maxBytes` bytes of a regular file. Links are followed.
 * @throws the error of the file system; one with the code `EINVAL` for what is no regular file
 */
export const readStart = async (path: string, maxBytes: number): Promise<FileStart> => {
  // Without O_NONBLOCK the open of a named pipe waits until somebody writes into it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw Object.assign(new Error('This is no regular file.'), { code: 'EINVAL' })
    return { bytes: await readAtMost(file, Math.min(stat.size, maxBytes)), size: stat.size }
  } finally {
    await file.close()
  }
}

/** The first `maxBytes` bytes of an open file, fewer when it ends before. */
export const readAtMost = async (file: FileHandle, maxBytes: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(maxBytes)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}
