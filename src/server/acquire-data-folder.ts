/** Takes the data folder for a server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../lib/errors.js'
import { DataFolder, ownerOf } from './data-folder.js'

// A command that found no server may lock the folder for a moment.
const FOLDER_TIMEOUT_MS = 2000

/**
 * Locks the folder for this process; waits up to 2 s for whoever has it.
 * @throws {Refusal} `conflict` when it is in use
 */
export const acquireDataFolder = async (dataDir: string, pid: number): Promise<DataFolder> => {
  const deadline = performance.now() + FOLDER_TIMEOUT_MS
  do {
    const folder = await DataFolder.take(dataDir, pid)
    if (folder) return folder
    await sleep(50)
  } while (performance.now() < deadline)
  throw new Refusal(
    `The data folder ${dataDir} is in use by ${await ownerOf(dataDir)}: stop it, or choose another folder with --data.`,
    'conflict'
  )
}
