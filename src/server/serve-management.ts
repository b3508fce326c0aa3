/** The management API on a Unix socket that only its owner's user can open. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { managementServer } from '../api/management/management-routes.js'
import type { ManagementPorts } from '../api/management/management-ports.js'
import { socketName } from './socket-path.js'

export interface Management {
  socket: string
  /** Answers what has begun, takes no more, and removes the socket. */
  close (): Promise<void>
}

/** The socket's folder has to be private (0700): that, and the socket's own mode, is the only authentication there is. */
export async function serveManagement (
  socket: string, ports: ManagementPorts, logger?: FastifyBaseLogger
): Promise<Management> {
  // What the commands do is no news to the operator; what fails is.
  const app = await managementServer(ports, logger?.child({ door: 'management' }, { level: 'warn' }))
  await rm(socket, { force: true })
  const name = socketName(socket)
  try {
    await app.listen({ path: name.path })
    await chmod(socket, 0o600)
  } catch (error) {
    await app.close()
    throw error
  } finally {
    // Unlinking by a /proc path is over with the descriptor, so the socket is removed by its own name.
    name.release()
  }
  return {
    socket,
    async close () {
      await app.close()
      await rm(socket, { force: true })
    }
  }
}

/** The same on a socket in a temporary folder of its own, for a database that is no folder. */
export async function serveManagementPrivately (ports: ManagementPorts): Promise<Management> {
  const served = await serveManagement(join(await mkdtemp(join(tmpdir(), 'exploration-mcp-')), 'management.sock'), ports)
  return {
    ...served,
    async close () {
      await served.close()
      await rm(dirname(served.socket), { recursive: true, force: true })
    }
  }
}
