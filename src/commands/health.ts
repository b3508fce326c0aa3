/**
 * `health`: whether the server of this machine should be sent requests, or only whether it lives; for whoever runs
 * its container.
 */
import { readConfig } from '../config.js'
import { Refusal } from '../lib/errors.js'
import { print } from './print.js'
import type { CommandHandler } from './command-handler.js'
import { baseOf } from './startup-banner.js'

// Longer than the server itself waits for its database.
const TIMEOUT_MS = 5000

export const health: CommandHandler<{ live?: true }> = async ({ live, json }, context, flags) => {
  const { host, port } = readConfig(context.env, flags)
  const url = `${baseOf(host, port)}${live ? '/livez' : '/readyz'}`
  const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw new Refusal(
    `Nothing answers at ${url}.`
    )
  })
  const body = await reply.text()
  if (!reply.ok) throw new Refusal(body)
  print({ ...context, json }, JSON.parse(body), live ? 'The server lives.' : 'The server is ready.')
}
