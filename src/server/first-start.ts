/**
 * Fills an empty database with the sample data and mints one key for it, so that there is something to connect to. The
 * person who sees most of it becomes a server administrator.
 */
import { createReadStream } from 'node:fs'
import type { ManagementPorts } from '../administration/ports.js'
import type { Config } from '../config/config.js'

export type FirstStart =
  | { kind: 'seeded', key: string, user: string }
  /** The database got one person, who reads the plans of a repository. */
  | { kind: 'person', key: string, user: string, writes: boolean }
  /** The database has no users, and was to get none. */
  | { kind: 'empty' }
  | { kind: 'known' }

/** `sampleLoaded`: the database was made with the sample data in it just now. */
export type FirstStartPorts = Pick<ManagementPorts, 'directory' | 'credentials' | 'importRecords'> & {
  sampleLoaded?: boolean
}

/** The name of the key. */
export const FIRST_KEY = 'first start'

const SAMPLE = new URL('../planning/sample.ndjson', import.meta.url)

/**
 * Imports the sample and mints a read key for its user with the most memberships, when there are no users yet and
 * `sample` is set.
 * @throws {Refusal} when the sample cannot be imported
 */
export async function firstStart (
  { sample }: Config, { directory, credentials, importRecords, sampleLoaded = false }: FirstStartPorts
): Promise<FirstStart> {
  if (!sampleLoaded) {
    if ((await directory.listUsers()).length > 0) return { kind: 'known' }
    if (!sample) return { kind: 'empty' }
    await importRecords(createReadStream(SAMPLE), () => {})
  }
  const [user] = (await directory.listUsers()).sort((one, other) => other.memberships - one.memberships)
  if (!user) return { kind: 'empty' }
  await directory.changeUser({ user: user.id, serverAdmin: true })
  const { key } = await credentials.createKey({ user: user.id, name: FIRST_KEY, scope: 'read' })
  return { kind: 'seeded', key, user: user.id }
}
