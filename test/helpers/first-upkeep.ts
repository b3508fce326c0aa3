/** The first upkeep of a server, which begins ten seconds after its start, without waiting for it. */
import { mock } from 'node:test'
import { startMaintenance } from '../../src/server/maintenance.js'

/** Resolves when the upkeep is done. */
export const runFirstUpkeep = async (...given: Parameters<typeof startMaintenance>): Promise<void> => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const jobs = startMaintenance(...given)
  mock.timers.tick(10_000)
  mock.timers.reset()
  await jobs.stop()
}
