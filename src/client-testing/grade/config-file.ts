/** The configuration file that many clients read: `mcpServers` with the address and the header. */
import { rm, writeFile } from 'node:fs/promises'
import { Refusal } from '../../lib/errors.js'
import { unwritable } from '../../lib/error-code.js'

/**
 * Writes the file, readable by its owner only, and returns a function that removes it. Never overwrites a file.
 * @param token of the header; without one the client has to get its own
 * @throws {Refusal} when the file exists or cannot be written
 */
export const writeConfigFile = async (
  path: string, url: string, token: string | undefined
): Promise<() => Promise<void>> => {
  const headers = token === undefined ? undefined : { Authorization: `Bearer ${token}` }
  const servers = { test: { type: 'http', url, headers } }
  try {
    await writeFile(path, `${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new Refusal(unwritable(path, error, 'Give a path for --config-file at which there is no file.'))
  }
  return () => rm(path, { force: true })
}
