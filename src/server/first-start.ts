/**
 * Fills an empty database with the sample data and mints one key for it, so that there is something to connect to. The
 * person who sees most of it becomes a server administrator. And how people sign in to the pages, as `serve` prints it.
 */
import { createReadStream } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { ManagementPorts } from '../administration/ports.js'
import { operationEvent, SIGN_IN_LINK_CREATED } from '../administration/operator.js'
import type { Config } from '../config/config.js'
import { pagesUrlOf } from '../http/server-address.js'
import { commandLine } from '../lib/text/command-line.js'

export type FirstStart =
  | { kind: 'seeded', key: string, user: string }
  /** The database got one person, who reads the plans of a repository. */
  | { kind: 'person', key: string, user: string, writes: boolean }
  /** The database has no users, and was to get none. */
  | { kind: 'empty' }
  | { kind: 'known' }

/** `sampleLoaded`: the database was made with the sample data in it just now. */
type FirstStartPorts = Pick<ManagementPorts, 'directory' | 'credentials' | 'importRecords'> & {
  sampleLoaded?: boolean
}

export const FIRST_KEY = 'first start'

const SAMPLE = new URL('../planning/sample.ndjson', import.meta.url)

/** @throws {Refusal} when the sample cannot be imported */
export async function firstStart (
  { sample }: Config, { directory, credentials, importRecords, sampleLoaded = false }: FirstStartPorts
): Promise<FirstStart> {
  if (!sampleLoaded) {
    if ((await directory.listUsers()).length > 0) return { kind: 'known' }
    if (!sample) return { kind: 'empty' }
    await importRecords(createReadStream(SAMPLE))
  }
  const [user] = (await directory.listUsers()).sort((one, other) => other.memberships - one.memberships)
  if (!user) return { kind: 'empty' }
  await directory.changeUser({ user: user.id, serverAdmin: true })
  const { key } = await credentials.createKey({ user: user.id, name: FIRST_KEY, scope: 'read' })
  return { kind: 'seeded', key, user: user.id }
}

export type SignInAtStart = NonNullable<Awaited<ReturnType<typeof signInAtStart>>>

/** Undefined without the web application. At the first start it makes a link, which the audit log records. */
export const signInAtStart = async (
  { signInLinks, directory, audit }: Pick<ManagementPorts, 'signInLinks' | 'directory' | 'audit'>,
  app: FastifyInstance, config: Config, start: FirstStart
) => {
  if (config.web === 'off') return undefined
  const pages = pagesUrlOf(app, config)
  const admins = (await directory.listUsers()).filter((user) => user.server_admin && user.deactivated_at === null)
  const command = commandLine(admins.length === 1 ? 'sign-in-link' : 'sign-in-link --user EMAIL')
  if (!('user' in start)) return { pages, link: undefined, command }
  const { token, expires_at: expiresAt, user } = await signInLinks.create(start.user)
  await audit.record(operationEvent(SIGN_IN_LINK_CREATED, { user_id: start.user }, 'first start'))
  return { pages, link: { url: signInUrl(pages, token), expires_at: expiresAt, email: user.email }, command }
}

/** The URL that signs in. The token stands in the fragment, which reaches no log and no preview of the link. */
export const signInUrl = (base: string, token: string): string => `${base}/sign-in#token=${token}`
