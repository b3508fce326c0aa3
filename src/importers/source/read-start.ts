/** Reads the beginning of a regular file. The name is not trusted: a pipe or a device could block or never end. */
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

export interface FileStart {
  /** At most as many as requested. */
  bytes: Buffer
  /** The size of the whole file in bytes. */
  size: number
}

/**
 * Reads the first `maxBytes` bytes. Links are followed.
 * @throws the file system's error; one with the code `EINVAL` for anything else than a regular file
 */
export const readStart = async (path: string, maxBytes: number): Promise<FileStart> => {
  // Without O_NONBLOCK the open of a named pipe waits until someone writes into it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw Object.assign(new Error('This is no regular file.'), { code: 'EINVAL' })
    return { bytes: await readAtMost(file, Math.min(stat.size, maxBytes)), size: stat.size }
  } finally {
    await file.close()
  }
}

/** The first `maxBytes` bytes of an open file, fewer when it is shorter. */
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
