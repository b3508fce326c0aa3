// Each statement that the product sends finds what it wants by an index, however much there is, and the server's role may send it. Needs
// TEST_DATABASE_URL, and in TEST_STATEMENTS the folder where the other tests kept what they sent.
import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { Node } from 'typescript'
import type { Database, Queryable } from '../../src/db/sql/database.js'
import { ensureDeploymentTag, migrate } from '../../src/db/migrate.js'
import { sqlCredentialEndings } from '../../src/db/credentials/sql-credential-endings.js'
import { sqlCredentials } from '../../src/db/credentials/sql-credentials.js'
import { mintSecret } from '../../src/access/credentials/prefixed-secret.js'
import { sqlConnections } from '../../src/db/oauth/sql-connections.js'
import { sqlOAuthClients } from '../../src/db/oauth/sql-oauth-clients.js'
import { directory } from '../../src/db/people/sql-directory.js'
import { sharedEndedSessionStore } from '../../src/db/sessions/sql-ended-session-store.js'
import { sqlPasskeys } from '../../src/db/sign-in/sql-passkeys.js'
import { markWritten } from '../../src/importers/sync/changed-here.js'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import { admitServerRole } from '../../src/db/postgres/server-role.js'
import { sqlUsage } from '../../src/db/audit/sql-usage.js'
import { sqlVectorStore } from '../../src/search/ranking/vector-store.js'
import { ownDatabase, SERVER } from '../helpers/database.js'
import { loginRole } from '../helpers/login-role.js'
import { pastMonths } from '../helpers/past-months.js'
import { readStatements, recording, STATEMENTS_FOLDER } from '../helpers/recorded-statements.js'
import { planFaults, SMALL, type Plan } from './plan-faults.js'

/** What may read much, and why: a fault and its statement. */
const ALLOWED: ReadonlyArray<readonly [RegExp, string]> = [
  [/ from users u left join users o .* order by lower\(u\.email\)$/, 'answers with all users'],
  [/ from memberships m join users u on u\.id = m\.user_id (?:join credentials c .*)?where m\.workspace_id = \$1 /, 'answers with all people of a workspace'],
  [/^reads (?:credentials|users) .* and c\.last_used_at > now\(\) - interval '25 hours' order by/,
    'answers an administrator with those in use, which may be all; an index would slow each note of a use'],
  [/ from users u where u\.kind = 'person' and \(lower\(u\.email\) like \$1 or /, 'passes over people with other names, for an administrator'],
  [/: select id::text as id from users where kind = 'person' limit 2$/, 'ends at the second person'],
  [/^costs .*: select w\.id, .*\(select count\(\*\)::int from explorations e where e\.workspace_id = w\.id/, 'counts, by an index, what each workspace has'],
  [/: select \(select count\(\*\)::int from explorations\) as explorations, /, 'counts what is to be done, for an operator'],
  [/: select current_setting\('server_version'\) as version, /, 'counts what there is, for an administrator'],
  [/ from (?:public\.)?search_documents$/, 'tells, when texts were indexed, whether words are to be counted again'],
  [/: select count\(\*\) from public\.audit_events_\w+$/, 'counts, once in a month, the events that are dropped with their partition'],
  [/^reads leases from end to end: SELECT end_leases\(array\( select l\.id from leases l join explorations e /,
    'ends what is held in a workspace, when someone takes the writing away'],
  [/: select queue_for_search\(array\(select id from explorations\)\)/, 'all of it is to be embedded anew'],
  [/^reads exploration_vectors from end to end: with asked as materialized /, 'compares exactly where someone sees few explorations'],
  [/: with (?:revoked as materialized \( select \* from jsonb_to_recordset|ended as \( update credentials c set )/, 'ends what is older or was revoked, after a restore']
]

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))
// What is behind the port, or beside it on a connection of its own: connecting, transactions, locks, the name of the caller.
const BEHIND = /^(?:db\/(?:(?:postgres\/postgres|embedded\/pglite)(?:-[a-z]+)*|planning\/sql-store)|cluster\/replica-lock)\.ts$/

/** The places of src/ that send statements through the database port, such as `db/planning/sql-plans.ts:40`. */
const callSites = async (): Promise<Set<string>> => {
  // Not loaded where there is no server.
  const { default: ts } = await import('typescript')
  const found = new Set<string>()
  for (const path of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || BEHIND.test(path)) continue
    const file = ts.createSourceFile(path, readFileSync(SOURCE + path, 'utf8'), ts.ScriptTarget.Latest, true)
    const visit = (node: Node): void => {
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'query') {
        found.add(`${path}:${file.getLineAndCharacterOfPosition(node.expression.name.getStart()).line + 1}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return found
}

t.test('every statement on 50,000 explorations', {
  skip: (SERVER === undefined || STATEMENTS_FOLDER === undefined) && 'no TEST_DATABASE_URL or no TEST_STATEMENTS'
}, async (t) => {
  const url = await ownDatabase(t, SERVER!)
  const owner = await openPostgres(url, { connections: 2 })
  t.teardown(() => owner.close())
  await owner.exclusively(() => migrate(owner))
  const vectors = sqlVectorStore(recording(owner))
  const { id } = await vectors.adopt({ id: 'vectors', version: '1', dimensions: 256 }, {})
  // While there is nothing.
  await vectors.requeue()
  await vectors.sample(id, 64)
  await pastMonths(owner, 4)
  await owner.script(read('many.sql'))
  await vectors.complete(id)
  await sqlUsage(owner).countHours()
  await owner.script('vacuum analyze')
  t.same(await owner.query(`select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and not relispartition and reltuples < 1000 and relname <> all($1)`, [Object.keys(SMALL)]), [], 'tables that are filled')
  const login = await loginRole(t, url)
  await sendTheRest(t, recording(owner), login.username)
  const role = await openPostgres(login.url, { connections: 1 })
  t.teardown(() => role.close())

  const sites = await callSites()
  const explained = new Set<string>()
  for (const { site, text } of readStatements(STATEMENTS_FOLDER!)) {
    if (!sites.has(site)) continue
    explained.add(site)
    if (!PLANNED.test(text)) continue
    const by: Queryable = site.startsWith('db/postgres/server-role') ? owner : role
    await by.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (generic_plan, format json) ${text}`).then(
      ([row]) => judge(t, `src/${site}`, text, row!['QUERY PLAN'][0].Plan), (error: unknown) => t.fail(`src/${site} ${error}: ${text}`))
  }
  for (const site of sites) if (!explained.has(site)) t.fail(`src/${site} sends a statement that no test sent`)
  for (const { statement, plan } of await nested(url)) judge(t, 'the schema', statement, plan)
})

/** What the other tests send to databases that they open by themselves, or not at all. */
const sendTheRest = async (t: Test, db: Database, role: string): Promise<void> => {
  await ensureDeploymentTag(db)
  await admitServerRole(db, role)
  await sqlCredentials(db, directory(db)).requireKnown('credential 7')
  await sqlOAuthClients(db).list()
  await sqlOAuthClients(db).hasSecret(randomUUID(), mintSecret('client'))
  await sqlOAuthClients(db).saveDocument('https://app.example/client', {}, 300)
  await sqlOAuthClients(db).findDocument('https://app.example/client')
  await sqlConnections(db).setScope(randomUUID(), 'read')
  await sqlCredentialEndings(db).endIssuedBefore('1970-01-02T00:00:00Z')
  await sharedEndedSessionStore(db).has('x')
  await sqlVectorStore(db).release([])
  await markWritten(db, [{ exploration: randomUUID(), item: 'i1', says: 'done' }])
  const [{ user_id: userId } = { user_id: '' }] = await db.query<{ user_id: string }>('select user_id from passkeys limit 1')
  const credentialId = createHash('sha256').update('1').digest('base64url')
  await t.rejects(sqlPasskeys(db).create({
    userId, name: 'Again', credentialId, publicKey: new Uint8Array(1), counter: 0, transports: [], rpId: 'localhost'
  }), /added already/)
}

const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const judge = (t: Test, where: string, statement: string, plan: Plan): void => {
  for (const fault of planFaults(plan)) {
    const words = `${fault}: ${statement.replaceAll(/\s+/g, ' ').trim()}`
    if (!ALLOWED.some(([which]) => which.test(words))) t.fail(`${where} ${words}`)
  }
}

/** What is carried out inside of the statements of writes.sql. */
const nested = async (url: string): Promise<Array<{ statement: string, plan: Plan }>> => {
  const client = new pg.Client({ connectionString: url })
  const told: Array<{ statement: string, plan: Plan }> = []
  client.on('notice', ({ message = '' }) => {
    const [, json] = /^duration: .* plan:\n(.*)$/s.exec(message) ?? []
    if (json === undefined) return
    const { 'Query Text': statement, Plan: plan } = JSON.parse(json) as { 'Query Text': string, Plan: Plan }
    told.push({ statement, plan })
  })
  await client.connect()
  try {
    const { rows: [ids] } = await client.query<Record<string, string>>(IDS)
    await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_level = 'notice';
      set auto_explain.log_format = 'json'; set auto_explain.log_nested_statements = on; begin`)
    for (const statement of read('writes.sql').split(/;\n/)) {
      await client.query(statement.replaceAll(/:(exploration|other|workspace|next|user)\b/g, (_, name: string) => `'${ids![name]}'`))
    }
    // Inside a transaction a statement is over, and told, when the next one begins.
    await client.query('rollback')
  } finally {
    await client.end()
  }
  return told
}

const IDS = `select e.id as exploration, e.workspace_id as workspace, w.id as next, o.id as other, m.user_id as "user"
  from (select * from explorations join execution_plans x on x.exploration_id = id order by id limit 1) e
    cross join lateral (select id from workspaces where id <> e.workspace_id limit 1) w
    cross join lateral (select id from explorations where id <> e.id order by id limit 1) o
    cross join lateral (select user_id from memberships where workspace_id = e.workspace_id limit 1) m`
