// The skills of the product: one text for everybody, about tools that there are, in no other list.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { tools } from '../../src/planning/tools/index.js'
import { build, handshake, legacy, modern } from '../helpers/build.js'
import { ROOT } from '../helpers/root.js'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- results of any method
type Any = any
const FOLDER = join(ROOT, 'src/planning/skills')
const NAMES = ['bring-planning-in', 'review-a-plan', 'work-through-a-plan']
/** What a caller has that may write: the texts say "if … is among your tools". */
const WRITING = ['claim_item', 'report_progress', 'add_note', 'ask_question', 'propose_change', 'get_changes']
const filesOf = (folder: string): string[] => readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort()

t.test('served over MCP', async (t) => {
  const { app, key, narrowKey, db, audit, credentials, people } = await build(t)
  const [admin] = await people.listUsers()
  const adminKey = (await credentials.createKey({ user: admin!.id, name: 'admin', scope: 'admin' })).key
  const ask = async (by: string, method: string, params = {}): Promise<Any> => (await modern<Any>(app, by, method, params)).body.result

  const listing = await ask(key, 'skills/list')
  t.strictSame(listing.skills.map(({ frontmatter }: Any) => frontmatter.name), NAMES)
  for (const other of [narrowKey, adminKey]) t.strictSame(await ask(other, 'skills/list'), listing, 'the same for every caller')
  const manifest = listing.skills.flatMap(({ resources }: Any) => resources)
  t.strictSame(manifest.map(({ uri }: Any) => uri.slice('skill://'.length)).sort(), filesOf(FOLDER))
  for (const { uri, digest, size } of manifest) {
    const file = readFileSync(join(FOLDER, uri.slice('skill://'.length)))
    t.strictSame([digest, size], [`sha256:${createHash('sha256').update(file).digest('hex')}`, file.length], uri)
    const { contents, cacheScope } = await ask(narrowKey, 'resources/read', { uri })
    t.strictSame([contents, cacheScope], [[{ uri, mimeType: 'text/markdown', text: file.toString() }], 'public'])
  }
  await credentials.flush()
  await audit.flush()
  const rows = await db.query<{ action: string }>("select distinct action from audit_events where action like '%skill%' order by action")
  t.strictSame(rows.map(({ action }) => action), manifest.map(({ uri }: Any) => `resources/read ${uri}`).sort(), 'each read is in the audit log, and no list')
})

t.test('no other list changes', async (t) => {
  const { app, key } = await build(t)
  const session = await handshake(app, key)
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list']) {
    t.notMatch((await modern(app, key, method)).text, /skill/i, method)
    t.notMatch((await legacy(app, key, session, method)).text, /skill/i, method)
  }
  const { body } = await legacy<Any>(app, key, session, 'skills/list')
  t.equal(body.error.code, -32601)
})

t.test('each tool that they name exists, and what only some callers have stands behind an if', async (t) => {
  const known = tools.map(({ name }) => name)
  for (const file of filesOf(FOLDER)) {
    const text = readFileSync(join(FOLDER, file), 'utf8')
    const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name!)
      .filter((name) => !/^(?:next_offset|next_cursor|blocks_item)$/.test(name))
    t.strictSame(named.filter((name) => !known.includes(name) && !WRITING.includes(name)), [], file)
    const unconditional = text.replaceAll(/^- If `\w+` is among your tools.*$/gm, '')
    t.strictSame(WRITING.filter((name) => unconditional.includes(name)), [], file)
  }
})
