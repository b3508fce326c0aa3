/** The product three times on one PostgreSQL and one Valkey, as it runs hosted. Needs TEST_DATABASE_URL and TEST_VALKEY_URL. */
import type { Test } from 'tap'
import { openBackend } from '../../src/server/open-backend.js'
import { appOf } from './build.js'
import { testConfig, type TestFlags } from './config.js'
import { ownDatabase, SERVER, templateName } from './database.js'
import { shared, VALKEY } from './valkey.js'

export const NO_SERVICES = (SERVER === undefined || VALKEY === undefined) && 'no TEST_DATABASE_URL or no TEST_VALKEY_URL'

export type Replica = Awaited<ReturnType<typeof replicas>>['all'][number]

/** The first replica may have ways of its own to the services. */
interface Ways { database?: (url: string) => Promise<string>, valkey?: string }

export const replicas = async (
  t: Test, flags: TestFlags = {}, { database = async (url) => url, valkey }: Ways = {}
) => {
  const url = await ownDatabase(t, SERVER!, await templateName(SERVER!, 'sample'))
  const start = async (first: boolean) => {
    const config = testConfig({ ...flags, databaseConnections: '3' }, { DATABASE_URL: first ? await database(url) : url })
    const backend = await openBackend(config, undefined)
    return { ...await appOf(t, config, backend, await shared(t, first ? valkey : undefined)), backend }
  }
  const all = [await start(true), await start(false), await start(false)] as const
  const [{ backend }] = all
  const users = (await backend.directory.listUsers()).sort((one, other) => other.memberships - one.memberships)
  const keyOf = (user: string) => backend.credentials.createKey({ user, name: 'test', scope: 'read' })
  const narrow = users.at(-1)!
  const narrowKey = await keyOf(narrow.id)
  return {
    all: [...all],
    apps: [all[0].app, all[1].app, all[2].app] as const,
    /** The parts of the first, as an operator has them. */
    backend,
    /** Read keys, of the user who sees most and of the one who sees least. */
    key: (await keyOf(users[0]!.id)).key,
    narrow: { key: narrowKey.key, id: narrowKey.id, user: narrow.id }
  }
}
