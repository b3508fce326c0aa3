// An import of the command line, which no person stands behind: the only server administrator sees what it made.
import t from 'tap'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { readConfig } from '../../../src/config/config.js'
import { backendOn } from '../../../src/server/backend.js'
import { database } from '../../helpers/database.js'

t.test('the only server administrator becomes an admin of new workspaces; of several, none does', async (t) => {
  const db = await database(t)
  const { directory, importRecords } = await backendOn({ ...db, close: async () => {} }, readConfig({}, {}))
  const importOne = async () => {
    const id = randomUUID()
    const line = { type: 'workspace', id, slug: `w-${id}`, name: 'W', created_at: '2026-01-01T00:00:00Z' }
    const { admin } = await importRecords(Readable.from([Buffer.from(`${JSON.stringify(line)}\n`)]))
    const members = await db.query('select u.email, m.role from memberships m join users u on u.id = m.user_id where m.workspace_id = $1', [id])
    return { admin, members }
  }
  t.same(await importOne(), { admin: undefined, members: [] }, 'no one is there')
  const person = (name: string, serverAdmin: boolean) =>
    directory.createUser({ email: `${name}@example.com`, name, kind: 'person', serverAdmin })
  await person('ann', false)
  t.same(await importOne(), { admin: undefined, members: [] }, 'no administrator')
  await person('boss', true)
  t.same(await importOne(), { admin: 'boss@example.com', members: [{ email: 'boss@example.com', role: 'admin' }] })
  await person('chief', true)
  t.same(await importOne(), { admin: undefined, members: [] }, 'two administrators')
})
