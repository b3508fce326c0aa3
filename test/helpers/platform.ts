/** A platform as a front has it: the real server behind a socket, and the client that asks it. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { ServerDeps } from '../../src/server/dependencies.js'
import { openGateway } from '../../src/server/gateway.js'
import { testConfig, type TestFlags } from './config.js'
import { connectPlatform, type Platform, type PlatformOptions } from '../../src/platform-api/client/client.js'
import type { Database } from '../../src/db/sql/database.js'
import type { Search } from '../../src/planning/store.js'
import { appOf, build, type Server } from './build.js'

export const TOKEN = 'a-token-of-the-tests-that-fronts-show'

/** Listens; `url` is what fronts are given. */
export const platformServer = async (
  t: Test,
  { flags = {}, db, search, parts = {} }: { flags?: TestFlags, db?: Database, search?: Search, parts?: Partial<ServerDeps> } = {}
): Promise<Server & { url: string }> => {
  const server = await build(t, { platformToken: TOKEN, ...flags }, [], db, search, parts)
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...server, url: `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}` }
}

/** A front before it, with ports as `serve --platform-url` has them. */
export const frontOf = async (
  t: Test, url: string, flags: TestFlags = {}, parts: Partial<ServerDeps> = {}
): Promise<{ app: FastifyInstance, log: string[] }> => {
  const config = testConfig({ platformUrl: url, platformToken: TOKEN, ...flags })
  return await appOf(t, config, await openGateway(config, url), parts)
}

export const askerOf = (t: Test, url: string, settings: Partial<PlatformOptions> = {}): Platform => {
  const platform = connectPlatform({ url, token: TOKEN, connections: 8, timeoutMs: 10_000, ...settings })
  t.teardown(() => platform.close())
  return platform
}
