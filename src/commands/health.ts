/**
 * `health`: exits with 0 when the server of this machine is ready for requests, or with --live when it answers at
 * all. Container health checks call it.
 */
import { Readable } from 'node:stream'
import { readConfig } from '../config.js'
import { Refusal } from '../lib/errors.js'
import { readTextLimited } from '../lib/read-limited.js'
import { parseObject } from '../lib/json-object.js'
import { print, stripControlChars } from './print.js'
import type { CommandHandler } from './command-handler.js'
import { baseOf } from '../http/server-address.js'

// Longer than the time that the server waits for its database.
const TIMEOUT_MS = 5000
const MAX_BYTES = 65_536

/**
 * Prints the reply of /readyz, or of /livez with `live`.
 * @throws {Refusal} when nothing answers within 5 s, or when the server is not ready
 */
export const health: CommandHandler<{ live?: true }> = async ({ live, json }, context, flags) => {
  const { host, port } = readConfig(context.env, flags)
  const url = `${baseOf(host, port)}${live ? '/livez' : '/readyz'}`
  const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw new Refusal(
    `Nothing answers at ${url}.`
    )
  })
  const body = await readTextLimited(reply.body ?? Readable.from([]), MAX_BYTES)
  const answer = body === undefined ? undefined : parseObject(body)
  if (body === undefined || !answer) throw new Refusal(`What answers at ${url} is not an exploration-mcp server.`)
  if (!reply.ok) throw new Refusal(stripControlChars(body))
  print({ ...context, json }, answer, live ? 'The server is running.' : 'The server is ready.')
}
