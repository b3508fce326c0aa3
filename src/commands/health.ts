/** `health`: whether the server of this machine should be sent requests, or only whether it lives; for whoever runs its container. */
import { readConfig } from '../config.js'
import { Refusal } from '../lib/errors.js'
import { print } from './print.js'
import type { Run } from './command-handler.js'
import { baseOf } from './startup-banner.js'

// Longer than the server itself waits for its database.
const PATIENCE_MS = 5000

export const health: Run<{ live?: true }> = async ({ live, json }, surroundings, flags) => {
  const { host, port } = readConfig(surroundings.env, flags)
  const url = `${baseOf(host, port)}${live ? '/livez' : '/readyz'}`
  const reply = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => { throw new Refusal(`Nothing answers at ${url}.`) })
  const said = await reply.text()
  if (!reply.ok) throw new Refusal(said)
  print({ ...surroundings, json }, JSON.parse(said), live ? 'The server lives.' : 'The server is ready.')
}
