/** Tells whether a file is as it was when it was looked at last. */
import { stat } from 'node:fs/promises'

/** The size, which is 0 of a missing file, and a text that differs whenever the file has changed. */
export interface FileStamp {
  size: number
  text: string
}

export const stampOf = async (file: string): Promise<FileStamp> => {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file)
    return { size, text: `${mtimeMs}\0${ctimeMs}\0${size}\0${ino}` }
  } catch {
    return { size: 0, text: 'gone' }
  }
}
