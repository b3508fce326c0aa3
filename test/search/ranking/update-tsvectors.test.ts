// The words of texts that are richer than an index takes: less of them is indexed, and the exploration is found.
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { database } from '../../helpers/database.js'
import { explorationLine, importLines } from '../../helpers/planning-data.js'

t.test('a text that is richer than an index takes is indexed as far as it goes', async (t) => {
  const db = await database(t)
  const workspace = randomUUID()
  const rich = (about: string) => Array.from({ length: 9000 }, (_, number) => `${about}${number}`).join(' ')
  const parts = ['b', 'c', 'd'].map((letter) => rich(letter.repeat(15)))
  await importLines(db, [
    { type: 'workspace', id: workspace, slug: 'w', name: 'W', created_at: '2026-01-01T00:00:00.000Z' },
    explorationLine(workspace, 'Refunds', parts.join(' ')),
    explorationLine(workspace, 'One word', `${'word '.repeat(30_000)} ${'x'.repeat(40_000)}`)
  ])
  t.match(await db.query(`select e.title, document @@ 'refund:A' as named, document @@ 'bbbbbbbbbbbbbbb7:B' as begins
    from search_documents d join explorations e on e.id = d.exploration_id order by e.title`),
  [{ title: 'One word', named: false }, { title: 'Refunds', named: true, begins: true }])
  t.same(await db.query('select from search_queue where words'), [])
})
