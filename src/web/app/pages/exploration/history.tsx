/** What happens in an exploration: its history, who is at work, who read it. Pages load it beside their own code. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useAction } from '../../api/action.js'
import { call, pathOf, type Answer } from '../../api/call.js'
import { usePages } from '../../api/pages.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { HistoryRows } from '../../changes/history-rows.js'
import { useLive } from '../../changes/live.js'
import { Person, Through } from '../../changes/provenance.js'
import { Button, LinkButton } from '../../components/button.js'
import { Card, Pagination } from '../../components/layout.js'
import { ErrorNote, Waiting } from '../../components/states.js'
import { Time } from '../../components/time.js'
import { countOf } from '../../lib/format.js'
import { useQueryState } from '../../lib/query-state.js'
import { useMayWrite } from '../../lib/session.js'
import { plainText } from '../../plan/plain-text.js'
import { wordsOf } from '../audit/audit-words.js'

export { AgentView } from './agent-view.js'

interface HistoryProps {
  exploration: string
  workspace: string
  item?: string | undefined
  recent?: number | undefined
  /** Of items, groups and gates by their ids; those of the plan when absent. */
  titles?: ReadonlyMap<string, string>
  hasPlan?: boolean
}

const History = ({ exploration: id, workspace, item, recent, titles, hasPlan = true }: HistoryProps) => {
  const { value: plan } = useOperation('GET /explorations/:id/plan', titles || !hasPlan ? null : { params: { id } })
  const known = useMemo(() => new Map(
    [...plan?.items ?? [], ...plan?.groups ?? [], ...plan?.gates ?? []].map((one) => [one.id, one.title])
  ), [plan])
  const path = pathOf('GET /explorations/:id/history', { id }, { limit: recent ?? 50, item })
  const list = usePages(path, ({ history }: Answer<'GET /explorations/:id/history'>) => history, 'before')
  useLive((changed) => { if (changed.has(id)) invalidate(path) })
  const { rows } = list
  const seen = useLastVisit(id, recent === undefined ? rows?.[0]?.at : undefined)
  const mayUndo = useMayWrite(workspace)
  if (rows === undefined) return <div class='card-note'><Waiting {...list} lines={6} /></div>
  return (
    <>
      <HistoryRows rows={rows} titles={titles ?? known} mayUndo={mayUndo} seen={seen} />
      {recent === undefined && <Pagination {...list} noun='change' />}
    </>
  )
}

/** When the newest row was written that this browser has shown before. It keeps `newest` for the next visit. */
const useLastVisit = (exploration: string, newest: string | undefined): string | undefined => {
  const key = `history-seen:${exploration}`
  const [seen] = useState(() => localStorage.getItem(key) ?? undefined)
  useEffect(() => { if (newest !== undefined) localStorage.setItem(key, newest) }, [key, newest])
  return seen
}

interface HistoryCardProps extends Pick<HistoryProps, 'exploration' | 'workspace' | 'hasPlan'> { whole: boolean }

export const HistoryCard = ({ whole, ...props }: HistoryCardProps) => {
  const { item } = useQueryState({ item: [] }).values
  const page = `/explorations/${props.exploration}`
  const all = !whole || item !== ''
  return (
    <Card
      id='history' title={whole && item !== '' ? 'History of one item' : 'History'} flush
      description='Who changed what, newest first.'
      actions={<LinkButton size='s' href={all ? `${page}/history` : page}>{all ? 'All changes' : 'Back'}</LinkButton>}
    >
      <History key={item} {...props} item={item || undefined} recent={whole ? undefined : 5} />
    </Card>
  )
}

interface ItemRecordProps { exploration: string, workspace: string, item: { id: string, title: string } }

/** Who holds an item and what changed it last, below its details in the plan. */
export const ItemRecord = ({ item: { id, title }, ...place }: ItemRecordProps) => (
  <div class='item-record'>
    <AtWork {...place} item={id} />
    <History {...place} key={id} item={id} recent={3} titles={new Map([[id, title]])} />
    <a href={`/explorations/${place.exploration}/history?item=${encodeURIComponent(id)}`}>All changes of this item</a>
  </div>
)

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

export const Activity = ({ id }: { id: string }) => {
  const [open, setOpen] = useState(false)
  const { value, error } = useOperation('GET /explorations/:id/activity', open ? { params: { id } } : null)
  return (
    <Card
      title='Who read and changed this' description='People and agents, newest first.' flush={open}
      actions={!open && <Button size='s' icon='eye' onClick={() => setOpen(true)}>Show</Button>}
    >
      {open && (
        <ul>
          {value?.activity.map(({ action, tool, count, ...by }, at) => (
            <li key={at} class='history-row history-head'>
              <p>
                <Person by={by} /> {wordsOf(action).replace('…', tool ?? 'this exploration')}
                <span class='aside-label'>
                  <Through by={by} />{count > 1 && ` · ${countOf(count, 'time')} in 30 days`}
                </span>
              </p>
              <Time value={by.at} />
            </li>
          ))}
          {error !== undefined && <li><ErrorNote>{error}</ErrorNote></li>}
        </ul>
      )}
    </Card>
  )
}
