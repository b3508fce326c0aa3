/** A server of a test on a free port of 127.0.0.1, which ends with the test. */
import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import { Server as HttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import type { Test } from 'tap'

/** Starts to listen; answers the port. */
export const listeningPort = async (t: Test, server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
