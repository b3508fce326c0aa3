/** `health`, which health checks of containers call: is the server ready, or with --live, does it answer at all. */
import { fetchText } from '../../agent-setup/credentials/http-client.js'
import { readConfig } from '../../config/config.js'
import { Refusal } from '../../lib/errors.js'
import { parseObject } from '../../lib/json/json-object.js'
import { print, stripControlChars } from '../print/print.js'
import type { CommandHandler } from '../cli-context.js'
import { baseOf } from '../../http/server-address.js'

/** Longer than the time that the server waits for its database. */
export const REPORT_TIMEOUT_MS = 5000

export const health: CommandHandler<{ live?: true }> = async ({ live, json }, context, flags) => {
  const { host, port } = readConfig(context.env, flags)
  const url = `${baseOf(host, port)}${live ? '/livez' : '/readyz'}`
  const { status, text = '' } = await fetchText(new URL(url), {}, REPORT_TIMEOUT_MS)
  if (status === 0) throw new Refusal(`Nothing answers at ${url}.`)
  const answer = parseObject(text)
  if (!answer) throw new Refusal(`What answers at ${url} is not an exploration-mcp server.`)
  if (status !== 200) throw new Refusal(stripControlChars(text))
  print({ ...context, json }, answer, live ? 'The server is running.' : 'The server is ready.')
}
