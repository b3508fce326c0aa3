// Each statement that the product sends finds what it wants by an index, however much there is, and the server's role may send it. Needs
// TEST_DATABASE_URL.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { openWordVectors } from '../../src/search/embedders/word-vectors/open-word-vectors.js'
import type { Database } from '../../src/db/sql/database.js'
import { migrate } from '../../src/db/migrate.js'
import { openPostgres } from '../../src/db/postgres/postgres.js'
import { sqlVectorStore } from '../../src/search/ranking/vector-store.js'
import { admitServerRole } from '../../src/db/postgres/server-role.js'
import { PG_SETTINGS } from '../../src/db/postgres/pg-settings.js'
import { ownDatabase, SERVER } from '../helpers/database.js'
import { loginRole, type LoginRole } from '../helpers/login-role.js'
import { pastMonths } from '../helpers/past-months.js'
import { planFaults } from './plans/plan-faults.js'
import type { Carried } from './plans/watched.js'

type Planning = 'auto' | 'force_generic_plan'

/** What may read much, and why; with these plans, or with all. */
const ALLOWED: ReadonlyArray<readonly [RegExp, string, planning?: Planning]> = [
  [/^select u\.id, .* from users u left join users o .* order by lower\(u\.email\)$/, 'answers with all users'],
  [/from credentials c join users u on u\.id = c\.user_id where c\.kind = \$1 order by/, 'answers with all credentials'],
  [/^select encode\(id_hash, '\w+'\) as hash, .* from ended_sessions where expires_at > now\(\)/, 'is kept in memory by the one server of an embedded database'],
  [/^select id::text as id from users where kind = 'person' limit 2$/, 'ends at the second person'],
  [/^select w\.id, .*\(select count\(\*\)::int from explorations e where e\.workspace_id = w\.id and e\.status <> 'archived'\)/, 'counts, by an index, what a workspace has'],
  [/^select \(select count\(\*\)::int from explorations\) as explorations, |^select count\(\*\)::int as total from search_queue/, 'counts what is to be done, for an operator'],
  [/^select count\(\*\) from (?:public\.)?search_documents$/, 'tells, when texts were indexed, whether words are to be counted again'],
  [/^insert into (?:public\.)?search_queue .* select id, false from (?:public\.)?explorations|^select queue_for_search\(array\(select id from explorations\)\)/, 'all of it is to be embedded anew'],
  [/^DELETE FROM ONLY "public"."exploration_vectors" WHERE \$1 OPERATOR\(pg_catalog\.=\) "embedder"$/, 'all vectors of one embedder go'],
  [/^SELECT end_leases\(array\( select l\.id from leases l join explorations e .* where e\.workspace_id = new\.id/,
    'ends what is held in a workspace, when someone takes the writing away'],
  [/^select tag, count\(\*\)::int as count from explorations e /, 'counts the tags of all that a person sees'],
  [/ from memberships m join users u on u\.id = m\.user_id where m\.workspace_id = \$1 order by/, 'answers with all members of a workspace'],
  [/ from credentials c join users u .* and coalesce\(c\.last_used_at, c\.created_at\) < now\(\)/, 'passes over credentials in use, for an administrator'],
  [/ from credentials c join users u .* where c\.revoked_at is null and c\.last_used_at > now\(\) - interval '25 hours' order by/,
    'answers an administrator with those in use, which may be all; an index would slow each note of a use'],
  [/ from users u where u\.kind = 'person' and \(lower\(u\.email\) like \$1 or /, 'passes over people with other names, for an administrator'],
  [/^select count\(\*\) from public\.audit_events_\w+$/, 'counts, once in a month, the events that are dropped with their partition'],
  [/^select current_setting\('server_version'\) as version, /, 'counts what there is, for an administrator'],
  [/^with page as materialized \( select u\.id from users u /, 'goes through all users, page by page, for an export'],
  [/^with page as materialized \( select id from \( select id, sum\(size\)/, 'goes through all explorations, page by page, for an export'],
  [/^with ended as \( update credentials c set revoked_at = now\(\), revoked_by = \$2 where c\.created_at < /, 'ends all that is older, after a restore'],
  [/^with revoked as materialized \( select \* from jsonb_to_recordset/, 'looks for what a whole audit log names, after a restore'],
  [/ from memberships m join users u .* join credentials c on .* and c\.scope = any\(\$3\)/, 'answers with all credentials that write in a workspace'],
  [/ from proposals p join explorations e .* order by p\.created_at desc, p\.id desc limit \$5\) page /, 'is planned for each filter: without one, the newest come first',
    'force_generic_plan'],
  [/ where a\.action >= \$2::text and a\.action < .* order by a\.at desc/, 'is planned for each beginning: common ones are soon met, rare ones have an index', 'force_generic_plan']
]

t.test('every statement on 50,000 explorations', { skip: SERVER === undefined && 'no TEST_DATABASE_URL' }, async (t) => {
  // Where there is no server, none of it is loaded.
  const [{ callSites }, { everything }, { TELLING, watched }] =
    await Promise.all([import('./plans/call-sites.js'), import('./plans/everything.js'), import('./plans/watched.js')])
  const url = await ownDatabase(t, SERVER!)
  const owner = await openPostgres(url, { connections: 2 })
  t.teardown(() => owner.close())
  await owner.exclusively(() => migrate(owner))
  const { id, version, dimensions } = await openWordVectors()
  const adopted = await sqlVectorStore(owner).adopt({ id, version, dimensions: dimensions! }, {})
  await pastMonths(owner, 4)
  await owner.script(readFileSync(new URL('plans/many.sql', import.meta.url), 'utf8'))
  await sqlVectorStore(owner).complete(adopted.id)
  await owner.script('vacuum analyze')
  const role = await serverRole(t, owner, url, TELLING)

  const sent = new Set<string>()
  const watch = async (
    t: Test, url: string, planning: Planning, work: (db: Database) => Promise<void>
  ): Promise<void> => {
    const db = await watched(url, [['plan_cache_mode', planning], ...Object.entries(PG_SETTINGS)].map(([name, value]) => `-c ${name}=${value}`).join(' '))
    try {
      await work({ ...db, close: async () => {} })
    } finally {
      await db.close()
    }
    for (const { site } of db.carried) sent.add(site)
    for (const fault of faultsOf(db.carried, planning)) t.fail(fault)
  }

  await t.test('by the owner of the schema', async (t) => watch(t, url, 'auto', async (db) => {
    await migrate(db)
    await admitServerRole(db, role.username, 80)
  }))
  await t.test("by the server's role, with plans made for the values", async (t) => watch(t, role.url, 'auto', (db) => everything(t, db)))
  await owner.query('update search_queue set words = false where words')
  await t.test("by the server's role, with plans made once for all values", async (t) => watch(t, role.url, 'force_generic_plan', (db) => everything(t, db)))
  for (const site of callSites()) if (!sent.has(site)) t.fail(`src/${site} sends a statement that plans/everything.ts does not bring about`)
})

const faultsOf = (
  carried: readonly Carried[], planning: Planning
): string[] => [...new Set(carried.flatMap(({ site, statement, plan }) => {
  const text = statement.replaceAll(/\s+/g, ' ').trim()
  const allowed = ALLOWED.some(([which, , only = planning]) => only === planning && which.test(text))
  return allowed ? [] : planFaults(plan, { work: planning === 'auto' }).map((fault) => `src/${site} ${fault}: ${text}`)
}))]

/** May serve, and no more; tells how its statements are carried out, as everybody on this database. */
const serverRole = async (t: Test, owner: Database, url: string, settings: Record<string, string>): Promise<LoginRole> => {
  const role = await loginRole(t, url)
  await admitServerRole(owner, role.username)
  const [{ name } = { name: '' }] = await owner.query<{ name: string }>('select current_database() as name')
  for (const [setting, value] of Object.entries(settings)) await owner.query(`alter database ${name} set ${setting} = '${value}'`)
  return role
}
