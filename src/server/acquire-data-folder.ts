/** Takes the data folder for a server. */
import { Refusal } from '../lib/errors.js'
import { poll } from '../lib/async/poll.js'
import { DataFolder, ownerOf } from './data-folder.js'

// A command that found no server may lock the folder for a moment.
const WAIT = { timeoutMs: 2000, pauseMs: 50 }

/**
 * Locks the folder for this process; waits up to 2 s for the process that has it.
 * @throws {Refusal} `conflict` when it is in use
 */
export const acquireDataFolder = async (dataDir: string, pid: number): Promise<DataFolder> => {
  const folder = await poll(() => DataFolder.take(dataDir, pid), WAIT)
  if (folder) return folder
  throw new Refusal(
    `The data folder ${dataDir} is in use by ${await ownerOf(dataDir)}: stop it, or choose another folder with --data.`,
    'conflict'
  )
}
