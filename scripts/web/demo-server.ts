/** A server on the sample data with people, keys and use, the same at each run: for pictures and for measures of the pages. */
import { connect, register, request } from '../../test/helpers/oauth.js'
import { listeningServer, type BrowserServer } from '../../test/helpers/browser.js'
import { addDemoCalls, type DemoCaller } from './demo-calls.js'

/** The moment that the pages show as now. */
export const NOW = new Date('2026-11-22T09:30:00Z')

const DAY_MS = 86_400_000
/** Secrets are random; what is seen of them in pictures is not. */
const HINTS = ['7QD4', 'HR2M', 'XK3T', 'B5WZ', 'M3AP']
const at = (daysAgo: number | undefined): string | null =>
  daysAgo === undefined ? null : new Date(NOW.getTime() - daysAgo * DAY_MS).toISOString()

/** `share`: calls of each in a hundred, by the place of its client. */
const KEYS = [
  { name: 'claude-code@ada-mbp', scope: 'read', created: 81, used: 0.0021, from: '10.0.4.17', expires: -284, client: 0, share: 52 },
  { name: 'nightly-report', scope: 'read', created: 63, used: 0.34, from: '10.0.9.2', expires: -9.5, client: 2, share: 9 },
  { name: 'cursor', scope: 'read_write', created: 44, used: 0.71, from: '10.0.4.17', expires: -57, client: 1, share: 31 },
  { name: 'import-from-jira', scope: 'admin', created: 30, used: 7, from: '10.0.9.2', expires: undefined, client: 3, share: 8 },
  { name: 'vscode-insiders', scope: 'read', created: 3, used: undefined, from: undefined, expires: -362, client: 0, share: 0 }
] as const

const APPLICATIONS = [
  { name: undefined, created: 29, used: 0.0069, from: '160.79.104.10', hidden: false, client: 0, share: 19 },
  { name: 'Cursor', created: 10, used: undefined, from: undefined, hidden: false, client: 1, share: 0 },
  { name: 'opencode', created: 41, used: 0.98, from: '10.0.4.17', hidden: true, client: 4, share: 7 }
] as const

/** Connects applications as people do; the last one sees one workspace only. Returns what calls as which of them. */
const connectApplications = async ({ app, db, url, wide, signIn }: BrowserServer): Promise<DemoCaller[]> => {
  const callers: DemoCaller[] = []
  const person = await signIn(wide.id)
  const { body } = await person.call<{ memberships: Array<{ workspace: { id: string } }> }>('GET', '/session')
  const [first] = body.memberships
  for (const { name, created, used, from, hidden, client, share } of APPLICATIONS) {
    const uri = 'http://127.0.0.1:8787/callback'
    const registered = name === undefined
      ? {}
      : { client_id: String((await register(app, { client_name: name, redirect_uris: [uri] })).body['client_id']), redirect_uri: uri }
    const asked = request({ ...registered, resource: `${url}/oauth/mcp` })
    await connect(app, person, asked, hidden && first ? [first.workspace.id] : 'all')
    const times = [at(created), at(used), from ?? null, at(-80)]
    const [connection] = await db.query<{ id: string }>(`
      update credentials set created_at = $1, last_used_at = $2, last_used_from = $3, expires_at = $4
      where kind = 'connection' and created_at > now() - interval '1 minute' returning id`, times)
    callers.push({ user: wide.id, credential: connection?.id ?? '', kind: 'connection', client, share })
  }
  return callers
}

export interface DemoServer extends BrowserServer {
  /** Who is signed in in the pictures: a server administrator. */
  person: { id: string, email: string }
  close: () => Promise<void>
}

/** Starts it on a free port. */
export const demoServer = async (): Promise<DemoServer> => {
  const closers: Array<() => unknown> = []
  // The helper of the tests wants nothing of a test but this.
  const server = await listeningServer({ teardown: (close: () => unknown) => { closers.push(close) } } as never)
  const { backend, db, wide, narrow } = server
  await db.query('update users set server_admin = true, name = $2, email = $3 where id = $1', [wide.id, 'Ada Lovelace', 'ada@example.com'])
  await db.query('update users set name = $2, email = $3 where id = $1', [narrow.id, 'Grace Hopper', 'grace@example.com'])
  const callers: DemoCaller[] = []
  for (const [n, { name, scope, created, used, from, expires, client, share }] of KEYS.entries()) {
    const { id } = await backend.credentials.createKey({ user: wide.id, name, scope })
    callers.push({ user: wide.id, credential: id, kind: 'api_key', client, share })
    await db.query(`
      update credentials set created_at = $2, last_used_at = $3, last_used_from = $4, expires_at = $5, hint = 'svc_key_' || $6
      where id = $1`, [id, at(created), at(used), from ?? null, at(expires), HINTS[n]])
  }
  await addDemoCalls(db, [...callers, ...await connectApplications(server)], NOW)
  await db.query('update usage_progress set counted_until = null')
  await backend.web?.api.usage.countHours()
  await backend.searchIndex.settle()
  return {
    ...server,
    person: wide,
    close: async () => { for (const close of closers.reverse()) await close() }
  }
}
