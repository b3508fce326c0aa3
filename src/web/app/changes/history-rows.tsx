/** Rows of the history as a time line: who did what, through what, which texts changed; and *Undo*. */
import { useAction } from '../api/action.js'
import { invalidate } from '../api/resource.js'
import { Badge, ErrorNote } from '../components/states.js'
import { Button } from '../components/button.js'
import { Time } from '../components/time.js'
import { textsOf, whatOf, type HistoryRow } from './history-words.js'
import { EvidenceList, isEvidence, Person, TextChange, Through } from './provenance.js'
import { overwrittenAmong, undoRows } from './undo-rows.js'
import './changes.css'

interface HistoryRowsProps {
  /** Newest first. */
  rows: readonly HistoryRow[]
  titles: ReadonlyMap<string, string>
  mayUndo: boolean
  /** When the newest row was written that this browser has shown before; RFC 3339. */
  seen?: string | undefined
}

export const HistoryRows = ({ rows, titles, mayUndo, seen }: HistoryRowsProps) => {
  const undone = new Set(rows.map(({ undoes }) => undoes))
  const overwritten = overwrittenAmong(rows)
  const news = seen === undefined ? 0 : rows.filter(({ at }) => at > seen).length
  return (
    <ol>
      {rows.map((row, at) => (
        <li key={row.id} class='history-row'>
          {news > 0 && at === 0 && <p class='history-mark'>New since your last visit</p>}
          {news > 0 && at === news && <p class='history-mark'>Before your last visit</p>}
          <Row row={row} titles={titles} mayUndo={mayUndo && !overwritten.has(row)} undone={undone.has(row.id)} />
        </li>
      ))}
    </ol>
  )
}

type RowProps = Pick<HistoryRowsProps, 'titles' | 'mayUndo'> & { row: HistoryRow, undone: boolean }

const Row = ({ row, titles, mayUndo, undone }: RowProps) => {
  const { run, pending, error } = useAction(async () => {
    await undoRows([row.id])
    invalidate('/explorations', '/inbox')
  })
  const evidence = row.after?.['evidence']
  return (
    <>
      <div class='history-head'>
        <p><Person by={row} /> {whatOf(row, titles)} {undone && <Badge>undone</Badge>}</p>
        {mayUndo && !undone && row.undoable && row.target.kind !== 'proposal' && (
          <Button size='s' variant='ghost' pending={pending} onClick={() => run()}>Undo</Button>
        )}
      </div>
      <p class='aside-label'><Time value={row.at} /><Through by={row} /></p>
      {textsOf(row).map(([label, before, after]) => (
        <TextChange key={label} label={label} before={before} after={after} />
      ))}
      {isEvidence(evidence) && <EvidenceList evidence={evidence} />}
      {error !== undefined && <ErrorNote>{error}</ErrorNote>}
    </>
  )
}
