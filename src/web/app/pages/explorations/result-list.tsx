/** The explorations of a list or a search: title, the passage that fits, state, plan. */
import type { ComponentChildren } from 'preact'
import type { Answer } from '../../api/call.js'
import type { PagedList } from '../../api/pages.js'
import { Badge, ErrorState, Skeleton } from '../../components/states.js'
import { classNames } from '../../components/class-names.js'
import { PlanProgress } from '../../components/plan-progress.js'
import { Time } from '../../components/time.js'
import { sentenceCase, STATUS_TONES } from '../../lib/words.js'
import './result-list.css'

type ExplorationItem = Answer<'GET /explorations'>['explorations'][number]

interface ResultListProps {
  list: PagedList<unknown, ExplorationItem>
  onTag: (tag: string) => void
}

const EXPECTED = 8
const MAX_TAGS = 4

/** Draws the rows; those of the query before are pale while others are on their way. */
export const ResultList = ({ list: { rows, error, retry, pending: stale }, onTag }: ResultListProps) => {
  if (error !== undefined && rows === undefined) return <ErrorState error={error} retry={retry} />
  if (rows === undefined) {
    return (
      <ul class='results rows' role='status' aria-label='Loading'>
        {Array.from({ length: EXPECTED }, (_, at) => (
          <li key={at} class='result'>
            <div class='result-text'><Skeleton width='16rem' /><Skeleton width='24rem' height='.625rem' /></div>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <ul class={classNames('results rows', stale && 'results-stale')} aria-label='Explorations' aria-busy={stale}>
      {rows.map((row) => <Result key={row.id} row={row} onTag={onTag} />)}
    </ul>
  )
}

const Result = ({ row, onTag }: { row: ExplorationItem, onTag: (tag: string) => void }) => (
  <li class='result'>
    <div class='result-text'>
      <a class='result-title' href={`/explorations/${row.id}`}>{row.title}</a>
      {row.snippet !== undefined && row.snippet !== '' && row.snippet !== row.title && (
        <p class='result-snippet'><MarkedText text={row.snippet} matches={row.matches} /></p>
      )}
      <p class='result-meta'>
        <span>{row.workspace.name}</span>
        {row.tags.slice(0, MAX_TAGS).map((tag) => (
          <button
            key={tag} type='button' class='tag' title={`Show explorations with the tag ${tag}`}
            onClick={() => onTag(tag)}
          >
            {tag}
          </button>
        ))}
        {row.tags.length > MAX_TAGS && (
          <span title={row.tags.slice(MAX_TAGS).join(', ')}>+{row.tags.length - MAX_TAGS}</span>
        )}
      </p>
    </div>
    <div class='result-plan'>
      {row.plan !== null && row.plan.total > 0 && (
        <a class='result-plan-link' href={`/explorations/${row.id}/plan`}>
          <span class='visually-hidden'>Plan of {row.title}: </span>
          <PlanProgress counts={row.plan} />
        </a>
      )}
    </div>
    <div class='result-status'><Badge tone={STATUS_TONES[row.status]}>{sentenceCase(row.status)}</Badge></div>
    <div class='result-time'>updated <Time value={row.updated_at} /></div>
  </li>
)

interface MarkedTextProps {
  text: string
  /** Ranges in UTF-16 code units; those that overlap or lie outside are left out. */
  matches: ExplorationItem['matches']
}

const MarkedText = ({ text, matches = [] }: MarkedTextProps) => {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const { start, end } of [...matches].sort((one, other) => one.start - other.start)) {
    if (start < at || end <= start || end > text.length) continue
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  return <>{parts}{text.slice(at)}</>
}
