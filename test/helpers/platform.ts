/** A platform as a front has it: the real server behind a socket, and the client that asks it. */
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { Parts } from '../../src/app.js'
import type { Flags } from '../../src/config.js'
import { platformAt, type Platform, type PlatformSettings } from '../../src/platform/client.js'
import type { Database } from '../../src/store/database.js'
import type { Search } from '../../src/store/store.js'
import { build, type Server } from './build.js'

export const TOKEN = 'a-token-of-the-tests-that-fronts-show'

/** Listens; `url` is what fronts are given. */
export const platformServer = async (
  t: Test, { flags = {}, db, search, parts = {} }: { flags?: Flags, db?: Database, search?: Search, parts?: Partial<Parts> } = {}
): Promise<Server & { url: string }> => {
  const server = await build(t, { platformToken: TOKEN, ...flags }, [], db, search, parts)
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...server, url: `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}` }
}

export const askerOf = (t: Test, url: string, settings: Partial<PlatformSettings> = {}): Platform => {
  const platform = platformAt({ url, token: TOKEN, connections: 8, timeoutMs: 10_000, ...settings })
  t.teardown(() => platform.close())
  return platform
}
