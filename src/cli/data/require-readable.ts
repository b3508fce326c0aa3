/** Checks that files can be read, before anything is done with them. */
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { unreadable } from '../../lib/error-code.js'
import { Refusal } from '../../lib/errors.js'
import type { CliContext } from '../cli-context.js'
import { stripControlChars } from '../print/print.js'

/** @throws {Refusal} when there is no such file or folder, or it cannot be read */
export const requireReadable = async (path: string, { host }: Pick<CliContext, 'host'>): Promise<void> => {
  try {
    const handle = await open(resolve(host.folder, path))
    await handle.close()
  } catch (error) {
    throw new Refusal(unreadable(stripControlChars(path), error))
  }
}
