/** The URL of the server whose data folder or database this command line may open. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WorkbenchError } from '../client-testing/exit-codes.js'
import { requirePlainUrl } from '../agent-setup/server-text.js'
import { readConfig, type Flags } from '../config/config.js'
import { Refusal } from '../lib/errors.js'
import { poll } from '../lib/async/poll.js'
import { DataFolder, socketIn } from '../server/data-folder.js'
import { withRunningServer } from './management-client.js'
import type { CliContext } from './cli-context.js'
import { baseOf } from '../http/server-address.js'

// A starting server locks its folder first, then answers on the socket, and then listens.
const WAIT = { timeoutMs: 20_000, pauseMs: 50 }

export async function localServerUrl ({ env, pid }: CliContext, flags: Flags): Promise<URL | undefined> {
  const { dataDir, databaseUrl, platformUrl, publicUrl, host, port } = readConfig(env, flags)
  const configured = (): URL => {
    if (publicUrl === undefined && port === 0) {
      throw new Refusal(
        'The server is not running, and its port is not known before it does: start it, or name it with --url.'
      )
    }
    return endpointAt(`${publicUrl ?? baseOf(host, port)}/mcp`)
  }
  if (databaseUrl !== undefined || platformUrl !== undefined) return configured()
  if (!existsSync(join(dataDir, 'lock'))) return undefined
  const found = await poll(async () => {
    const server = await withRunningServer(socketIn(dataDir), (api) => api.call('GET /server'))
    // It has none before it listens.
    if (server?.outcome.endpoint) return endpointAt(server.outcome.endpoint)
    const folder = await DataFolder.take(dataDir, pid)
    await folder?.release()
    return folder && configured()
  }, WAIT)
  return found ?? configured()
}

/** Parses the address of a server as users type it. `/mcp` is added when there is no path. */
export function endpointAt (text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new WorkbenchError('usage',
      `${JSON.stringify(text)} is no address of an MCP endpoint. Give one such as http://127.0.0.1:8080/mcp.`
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new WorkbenchError('usage', 'Do not put a credential into the URL: give it with --token-file.')
  }
  url.hash = ''
  requirePlainUrl(url.href)
  url.pathname = url.pathname === '/' ? '/mcp' : url.pathname.replace(/\/+$/, '')
  return url
}
