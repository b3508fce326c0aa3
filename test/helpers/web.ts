/** The web application on a database with the sample data, and people who sign in to it. */
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { appOf, replyOf, type Reply } from './build.js'
import { testConfig, type TestFlags } from './config.js'
import type { Database } from '../../src/db/sql/database.js'
import { backendOn } from '../../src/server/backend.js'
import type { ServerDeps } from '../../src/server/dependencies.js'
import { sampleDatabase } from './database.js'
import { sharedEmbedders } from './shared-embedders.js'

export const ORIGIN = 'http://localhost:8080'

export interface WebReply<Body> extends Reply<Body> {
  /** Name and value of each cookie that was set; an empty value removes it. */
  cookies: Record<string, string>
}

export type Browser = ReturnType<typeof createBrowser>
export type WebServer = Awaited<ReturnType<typeof webServer>>
export interface Person { id: string, email: string, browser: Browser }

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
type Headers = Record<string, string | undefined>

/** Another one on the same database is another replica. */
export const webServer = async (
  t: Test, flags: TestFlags = {}, shared?: Database, parts: Partial<ServerDeps> = {}
) => {
  const db = shared ?? await sampleDatabase(t)
  const config = testConfig({ signInsPerMinute: '1000', ...flags })
  const backend = await backendOn({ ...db, close: async () => {} }, config, undefined, sharedEmbedders(config))
  const { app, log } = await appOf(t, config, backend, parts)
  const people = (await backend.directory.listUsers()).filter(({ kind }) => kind === 'person')
    .sort((one, other) => other.memberships - one.memberships)
  const newBrowser = (): Browser => createBrowser(app, flags.publicUrl === undefined ? ORIGIN : new URL(String(flags.publicUrl)).origin)
  const signIn = async (user: string): Promise<Browser> => {
    const browser = newBrowser()
    const { token } = await backend.signInLinks.create(user)
    const { status } = await browser.call('POST', '/sign-in/link', { token })
    if (status !== 200) throw new Error(`signing in answered ${status}`)
    return browser
  }
  const signedIn = async (name: string, serverAdmin: boolean): Promise<Person> => {
    const { id, email } = await backend.directory.createUser({ email: `${name}@example.com`, name, kind: 'person', serverAdmin })
    return { id, email, browser: await signIn(id) }
  }
  return {
    app,
    db,
    backend,
    log,
    /** The person who sees all three workspaces, and one who sees one. */
    wide: people[0]!,
    narrow: people.at(-1)!,
    browser: newBrowser,
    /** A browser in which this person is signed in. */
    signIn,
    /** Somebody new, with a role in a workspace, or none, and their browser. */
    async newPerson (name: string, workspace?: string, role: 'viewer' | 'editor' | 'admin' = 'viewer') {
      const person = await signedIn(name, false)
      if (workspace !== undefined) await backend.directory.addMember({ user: person.id, workspace, role })
      return person
    },
    /** Somebody new who administers the server. */
    boss: () => signedIn('boss', true)
  }
}

/** The most bytes of a name and its value; browsers drop a longer cookie (RFC 6265bis section 5.6). */
const MAX_COOKIE_BYTES = 4096

const headerOf = (cookies: Record<string, string>): string => Object.entries(cookies).map(([name, value]) => `${name}=${value}`).join('; ')

/** A browser: it has cookies, and sends what the pages send. With the same cookies it is one that is led to several replicas. */
export const createBrowser = (app: FastifyInstance, origin: string, cookies: Record<string, string> = {}) => {
  const send = async <Body>(method: Method, url: string, body: unknown, headers: Headers): Promise<WebReply<Body>> => {
    const all: Headers = {
      host: new URL(origin).host,
      cookie: headerOf(cookies) || undefined,
      ...(method !== 'GET' && { origin, 'x-exploration-mcp': 'web' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers
    }
    const reply = await app.inject({
      method,
      url,
      headers: Object.fromEntries(Object.entries(all).flatMap(([name, value]) => value === undefined ? [] : [[name, value]])),
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const set = Object.fromEntries(reply.cookies.map(({ name, value }) => [name, value]))
    for (const [name, value] of Object.entries(set)) {
      if (value === '') delete cookies[name]
      else if (name.length + encodeURIComponent(value).length <= MAX_COOKIE_BYTES) cookies[name] = value
    }
    return { ...replyOf<Body>(reply), cookies: set }
  }
  return {
    cookies,
    /** What it sends of them. */
    get cookie () { return headerOf(cookies) },
    /** Calls an operation under /web/v1. */
    call: <Body = Record<string, unknown>>(method: Method, path: string, body?: unknown, headers: Headers = {}) => send<Body>(method, `/web/v1${path}`, body, headers),
    /** Opens an address; follows no redirect. */
    open: (url: string, headers: Headers = {}) => send<Record<string, unknown>>('GET', url, undefined, headers)
  }
}
