/** What happens in an exploration: its history, who is at work, who read it. Pages load it beside their own code. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { pathOf, type Answer } from '../../api/call.js'
import { usePages } from '../../api/pages.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { HistoryRows } from '../../changes/history-rows.js'
import { LinkButton } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { Pagination } from '../../components/table.js'
import { Waiting } from '../../components/states.js'
import { useLive } from '../../changes/live.js'
import { useQueryState } from '../../lib/query-state.js'
import { useMayWrite } from '../../lib/session.js'
import { AtWork } from './at-work.js'

export { Activity } from './activity.js'
export { AtWork } from './at-work.js'

interface HistoryProps {
  exploration: string
  workspace: string
  item?: string | undefined
  /** So many of the newest rows alone. */
  recent?: number | undefined
  /** Of items, groups and gates by their ids; those of the plan when absent. */
  titles?: ReadonlyMap<string, string>
  hasPlan?: boolean
}

/** Draws the rows as it happens. It marks what is new since the last visit. */
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
      {recent === undefined && <Pagination list={list} noun='change' />}
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

/** All changes, or those of the item that the address names; or the newest, with a link to all. */
export const HistoryCard = ({ whole, ...props }: HistoryCardProps) => {
  const { item } = useQueryState(['item']).values
  const page = `/explorations/${props.exploration}`
  const all = !whole || item !== ''
  return (
    <Card
      title={whole && item !== '' ? 'History of one item' : 'History'} flush
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
