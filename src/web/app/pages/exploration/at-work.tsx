/** Who holds which items of an exploration, since and until when; editors release them. */
import { useAction } from '../../api/action.js'
import { call } from '../../api/call.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { Person, Through } from '../../changes/provenance.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { ErrorNote } from '../../components/states.js'
import { Time } from '../../components/time.js'
import { useLive } from '../../changes/live.js'
import { useMayWrite } from '../../lib/session.js'
import { plainText } from '../../plan/plain-text.js'

/** Draws the list as it happens, or one `item` of it without a card; nothing where nothing is held. */
export const AtWork = (
  { exploration: id, workspace, item }: { exploration: string, workspace: string, item?: string }
) => {
  const { value, reload } = useOperation('GET /explorations/:id/held', { params: { id } })
  useLive((changed) => { if (changed.has(id)) reload() })
  const mayRelease = useMayWrite(workspace)
  const { run, pending, error } = useAction(async (held: string) => {
    await call('POST /explorations/:id/changes', {
      params: { id }, body: { changes: [{ kind: 'release_item', item_id: held }] }
    })
    invalidate('/explorations', '/inbox')
  })
  const held = value?.held.filter((one) => !one.lapsed && (item ?? one.item_id) === one.item_id) ?? []
  if (held.length === 0) return null
  const list = (
    <ul>
      {held.map((one) => (
        <li key={one.item_id} class='history-row'>
          <div class='history-head'>
            {item === undefined
              ? <a href={`/explorations/${id}/plan?item=${encodeURIComponent(one.item_id)}`}>{plainText(one.title)}</a>
              : <b>Held</b>}
            {mayRelease && <Button size='s' pending={pending} onClick={() => run(one.item_id)}>Release</Button>}
          </div>
          <p class='aside-label'>
            <Person by={one} /><Through by={one} />, since <Time value={one.since} />, until <Time value={one.until} />
          </p>
        </li>
      ))}
      {error !== undefined && <li><ErrorNote>{error}</ErrorNote></li>}
    </ul>
  )
  return item === undefined ? <Card title='At work' description='What agents hold now.' flush>{list}</Card> : list
}
