/** Rows of the audit log; each unfolds to everything that is known of it. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { PagedList } from '../../api/pages.js'
import { credentialLabel } from '../../../../lib/text/application-name.js'
import { Badge, ErrorState, Skeleton } from '../../components/states.js'
import { classNames } from '../../components/class-names.js'
import { DescriptionList } from '../../components/layout.js'
import { Icon } from '../../components/icon.js'
import { Time } from '../../components/time.js'
import { sentenceCase } from '../../lib/words.js'
import '../../components/table.css'
import type { AuditFilterName } from './audit-filters.js'
import { sentenceOf, type AuditRow } from './audit-words.js'

type OnFilter = (changes: Partial<Record<AuditFilterName, string>>) => void

interface AuditTableProps {
  list: PagedList<unknown, AuditRow>
  onFilter: OnFilter
  empty: ComponentChildren
}

const EXPECTED = 12
const HEADERS = ['What', 'Outcome', 'With', 'When']
const HIDDEN = [undefined, undefined, 'hide-below-54', 'hide-below-40']

export const AuditTable = ({ list: { rows, error, retry, pending }, onFilter, empty }: AuditTableProps) => {
  const stale = pending && rows !== undefined
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />
  if (rows?.length === 0 && !stale) return <>{empty}</>
  const toggle = (id: string): void => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <div class={classNames('table-wrap', stale && 'results-stale')} aria-busy={rows === undefined || stale}>
      <table class='table audit-table' aria-label='Audit events'>
        <thead>
          <tr>{HEADERS.map((header, at) => <th key={header} scope='col' class={HIDDEN[at]}>{header}</th>)}</tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: EXPECTED }, (_, at) => (
              <tr key={at} aria-hidden='true'>
                {HEADERS.map((header, column) => (
                  <td key={header} class={HIDDEN[column]}><Skeleton width={at % 2 === 0 ? '7rem' : '5rem'} /></td>
                ))}
              </tr>
            ))
            : rows.flatMap((event) => [
              <Row key={event.id} event={event} open={open.has(event.id)} onToggle={() => toggle(event.id)} />,
              ...open.has(event.id) ? [<Details key={`${event.id}-details`} event={event} onFilter={onFilter} />] : []
            ])}
        </tbody>
      </table>
    </div>
  )
}

const toneOf = (outcome: string): 'good' | 'bad' | 'warn' =>
  outcome === 'ok' ? 'good' : outcome === 'error' ? 'bad' : 'warn'

const Row = ({ event, open, onToggle }: { event: AuditRow, open: boolean, onToggle: () => void }) => (
  <tr class='audit-row' onClick={onToggle}>
    <th scope='row'>
      <button
        type='button' class='audit-toggle' aria-expanded={open} aria-controls={`event-${event.id}`}
        onClick={(click) => { click.stopPropagation(); onToggle() }}
      >
        <Icon name={open ? 'down' : 'right'} size={14} />
        <span class='cell-lines'>
          <span>{sentenceOf(event)}</span>
          <span class='cell-note only-below-40'><Time value={event.at} /></span>
        </span>
      </button>
    </th>
    <td><Badge tone={toneOf(event.outcome)}>{event.outcome === 'ok' ? 'OK' : sentenceCase(event.outcome)}</Badge></td>
    <td class='hide-below-54 audit-with'>{event.credential?.name !== undefined && nameOf(event.credential)}</td>
    <td class='hide-below-40 audit-when'><Time value={event.at} /></td>
  </tr>
)

type EventCredential = NonNullable<AuditRow['credential']>

const nameOf = ({ id, name = id, ...kinds }: EventCredential): string => credentialLabel({ name, ...kinds })

/** The beginning of a key tells which one it is; that of an application changes with each of its tokens. */
const CredentialName = ({ credential }: { credential: EventCredential }) => (
  <>
    {nameOf(credential)}{' '}
    {credential.kind !== 'connection' && credential.hint !== undefined && <code>{credential.hint}…</code>}
  </>
)

const ClientName = ({ name }: { name: string }) => <>{name} <span class='cell-note'>as it calls itself</span></>

const Details = ({ event, onFilter }: { event: AuditRow, onFilter: OnFilter }) => {
  const { user, credential, workspace, exploration } = event
  const filter = (name: AuditFilterName, value: string, content: ComponentChildren): ComponentChildren => (
    <button
      type='button' class='audit-filter' title={`Show only events like this: ${name} ${value}`}
      onClick={() => onFilter({ [name]: value })}
    >
      {content}
    </button>
  )
  const items: Array<readonly [string, ComponentChildren]> = [
    ['Time', <Time key='at' value={event.at} format='exact' />],
    ['Action', filter('action', event.action, <code>{event.action}</code>)],
    ['Outcome', filter('outcome', event.outcome, event.outcome)],
    ...user ? [['Person', filter('user', user.id, user.email ?? user.id)] as const] : [],
    ...event.actor !== undefined && event.actor !== user?.email ? [['Done by', event.actor] as const] : [],
    ...credential
      ? [['Credential', filter('credential', credential.id, <CredentialName credential={credential} />)] as const]
      : [],
    ...workspace
      ? [['Workspace', filter('workspace', workspace.slug ?? workspace.id, workspace.name ?? workspace.id)] as const]
      : [],
    ...exploration
      ? [['Exploration', exploration.title === undefined
          ? <code key='id'>{exploration.id}</code>
          : <a key='link' href={`/explorations/${exploration.id}`}>{exploration.title}</a>] as const]
      : [],
    ...event.client !== undefined
      ? [['Client', <ClientName key='client' name={event.client} />] as const]
      : [],
    ['Address', <code key='address'>{event.remote_address}</code>],
    ['Took', `${Math.round(event.duration_ms).toLocaleString('en')} ms`],
    ...event.count !== undefined ? [['Times', String(event.count)] as const] : [],
    ...event.reported_by !== undefined ? [['Reported by', event.reported_by] as const] : [],
    ['Request', <code key='request'>{event.request_id}</code>],
    ['Event', <code key='id'>{event.id}</code>]
  ]
  return (
    <tr id={`event-${event.id}`} class='audit-details'>
      <td colSpan={HEADERS.length}><DescriptionList items={items} /></td>
    </tr>
  )
}
