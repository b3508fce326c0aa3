/** The management API on a Unix socket that only its owner's user can open. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { managementServer } from '../administration/socket-server.js'
import type { ManagementPorts } from '../administration/ports.js'
import { socketName } from './data-folder.js'

/**
 * Serves on `socket` until `close`, which finishes running requests, accepts no more, and removes the socket. Its
 * folder must be private (0700): that, and the socket's mode, is the only authentication.
 */
export async function serveManagement (socket: string, ports: ManagementPorts, logger?: FastifyBaseLogger) {
  // Successful commands are not logged, failed ones are.
  const app = await managementServer(ports, logger?.child({ listener: 'management' }, { level: 'warn' }))
  await rm(socket, { force: true })
  const name = socketName(socket)
  try {
    await app.listen({ path: name.path })
    await chmod(socket, 0o600)
  } catch (error) {
    await app.close()
    throw error
  } finally {
    // Unlinking by a /proc path fails once the descriptor is closed, so the socket is removed by its real path.
    name.release()
  }
  return {
    socket,
    async close (): Promise<void> {
      await app.close()
      await rm(socket, { force: true })
    }
  }
}

/** The same on a socket in a temporary folder, for a database without a data folder. */
export async function serveManagementPrivately (ports: ManagementPorts): ReturnType<typeof serveManagement> {
  const folder = await mkdtemp(join(tmpdir(), 'exploration-mcp-'))
  const served = await serveManagement(join(folder, 'management.sock'), ports)
  return {
    ...served,
    async close () {
      await served.close()
      await rm(dirname(served.socket), { recursive: true, force: true })
    }
  }
}
