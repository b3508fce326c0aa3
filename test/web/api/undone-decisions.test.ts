/** A decision says what it wrote; undone, all is as before, and the proposal waits again. */
import t from 'tap'
import { agentsWriting, INSTALMENTS } from '../../helpers/agents-writing.js'
import { webServer } from '../../helpers/web.js'

interface Decided { state: string, rows: string[], detail: string }

t.test('decisions are undone', async (t) => {
  const server = await webServer(t)
  await agentsWriting(server)
  const ada = await server.signIn(server.wide.id)
  const open = async (kind: string): Promise<string> => {
    const { body } = await ada.call<{ proposals: Array<{ id: string, changes: Array<{ kind: string }> }> }>('GET', '/proposals?state=open')
    return body.proposals.find(({ changes }) => changes[0]?.kind === kind)?.id ?? ''
  }
  const items = (): Promise<unknown[]> => server.db.query(
    'select id, title, description, status, group_id, "order", finished from plan_items where exploration_id = $1 order by id', [INSTALMENTS])
  const undo = (id = ''): ReturnType<typeof ada.call<Decided>> => ada.call<Decided>('POST', `/history/${id}/undo`)

  for (const [kind, action, body] of [
    ['edit_item', 'acceptance', undefined], ['complete_item', 'acceptance', undefined], ['complete_item', 'dismissal', { reason: 'Not yet.' }],
    ['add_item', 'acceptance', { changes: [{ kind: 'add_item', group_id: 'g3', title: 'My words' }] }]
  ] as const) {
    const [id, before] = [await open(kind), await items()]
    const { status, body: decided } = await ada.call<Decided>('POST', `/proposals/${id}/${action}`, body)
    t.equal(status, 200)
    t.not(await open(kind), id)
    t.notSame(await items(), before)
    // An addition is made from nothing that could have changed.
    if (action === 'acceptance' && kind !== 'add_item') {
      const early = await undo(decided.rows[0])
      t.equal(early.status, 409, `${kind}: not open again while its changes stand`)
      t.match(early.body.detail, /undo its changes first/)
    }
    for (const row of decided.rows.toReversed()) t.match(await undo(row), { status: 200 })
    t.equal(await open(kind), id, `${kind}, ${action}: it waits again`)
    t.same(await items(), before, `${kind}, ${action}: all is as before`)
  }
})
