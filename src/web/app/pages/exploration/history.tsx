/** The history of an exploration or of one of its items, newest first. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { pathOf, type Answer } from '../../api/call.js'
import { usePages } from '../../api/pages.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { HistoryRows } from '../../changes/history-rows.js'
import { LinkButton } from '../../components/button.js'
import { Card } from '../../components/card.js'
import { Pagination } from '../../components/pagination.js'
import { EmptyState, ErrorState, SkeletonText } from '../../components/states.js'
import { useLive } from '../../lib/live.js'
import { useMayWrite } from '../../lib/session.js'

interface HistoryProps {
  exploration: string
  workspace: string
  item?: string | undefined
  /** So many of the newest rows alone. */
  recent?: number
}

/** Draws the rows, for a card that they fill. It marks what is new since the last visit, and follows what happens. */
export const History = ({ exploration: id, workspace, item, recent }: HistoryProps) => {
  const { value: plan } = useOperation('GET /explorations/:id/plan', { params: { id } })
  const titles = useMemo(() => new Map(
    [...plan?.items ?? [], ...plan?.groups ?? [], ...plan?.gates ?? []].map(({ id: one, title }) => [one, title])
  ), [plan])
  const path = pathOf('GET /explorations/:id/history', { id }, { limit: recent ?? 50, item })
  const list = usePages(path, ({ history }: Answer<'GET /explorations/:id/history'>) => history, 'before')
  const { rows, error, retry, pending } = list
  const seen = useLastVisit(id, recent === undefined ? rows?.[0]?.at : undefined)
  const mayUndo = useMayWrite(workspace)
  useLive((changed) => { if (changed?.has(id) !== false) invalidate(path) })
  if (rows === undefined) {
    return error === undefined
      ? <div class='card-note'><SkeletonText lines={6} /></div>
      : <ErrorState message={error} onRetry={retry} pending={pending} />
  }
  if (rows.length === 0) return <EmptyState icon='history' title='Nothing has changed yet' />
  return (
    <>
      <HistoryRows rows={rows} titles={titles} mayUndo={mayUndo} seen={seen} />
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

/** The newest changes, on the page of the exploration. */
export const RecentHistory = (props: Omit<HistoryProps, 'recent'>) => (
  <Card
    title='History' description='Who changed what. Editors undo what should not be.' flush
    actions={
      <LinkButton size='s' icon='history' href={`/explorations/${props.exploration}/history`}>All changes</LinkButton>
    }
  >
    <History {...props} recent={5} />
  </Card>
)
