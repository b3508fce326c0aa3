// The Inspector's web page, which shows views of tools. It needs a newer Node than the product does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../scripts/services/process.mjs'
import { INSPECTOR, newerNode } from '../newer-node.mjs'

const TOKEN = 'token-of-the-test'

/**
 * Starts it for one server in one era: with a key, or without one, when it signs in by OAuth. `address` is the page that
 * calls get_planning_state, `connecting` one that only connects.
 */
export const startInspector = async ({ url, key, era }) => {
  const home = await mkdtemp(join(tmpdir(), 'inspector-'))
  await mkdir(join(home, '.mcp-inspector'))
  await writeFile(join(home, '.mcp-inspector/mcp.json'), JSON.stringify({
    mcpServers: { 'deep-link': { type: 'streamable-http', url, protocolEra: era, ...key && { headers: { Authorization: `Bearer ${key}` } } } }
  }))
  const [port, sandboxPort] = [await freePort(), await freePort()]
  // A process group of its own, as it may start others.
  const child = spawn('node', [INSPECTOR, '--web'], {
    env: {
      ...newerNode(),
      HOME: home,
      HOST: '127.0.0.1',
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(sandboxPort),
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_INSPECTOR_API_TOKEN: TOKEN
    },
    stdio: 'ignore',
    detached: true
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    // The group may have ended by itself.
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid)
    await ended
    await rm(home, { recursive: true, force: true })
  }
  const base = `http://127.0.0.1:${port}/`
  const isUp = () => fetch(base, { signal: AbortSignal.timeout(5000) }).then(({ ok }) => ok, () => false)
  for (let tries = 0; !await isUp(); tries++) {
    if (tries > 1200 || child.exitCode !== null) {
      await stop()
      throw new Error('The Inspector does not start.')
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  const connect = { serverUrl: url, transport: 'http', autoConnect: TOKEN }
  return {
    connecting: `${base}?${new URLSearchParams(connect)}`,
    address: (explorationId) => `${base}?${new URLSearchParams({
      ...connect,
      openApp: 'get_planning_state',
      autoOpen: TOKEN,
      appArgs: Buffer.from(JSON.stringify({ exploration_id: explorationId })).toString('base64url')
    })}`,
    stop
  }
}
