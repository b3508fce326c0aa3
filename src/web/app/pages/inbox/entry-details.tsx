/** One entry of the inbox as it is decided: who asks for what and why, what it will do, and what is answered. */
import { useState } from 'preact/hooks'
import { useOperation } from '../../api/resource.js'
import { HistoryRows } from '../../changes/history-rows.js'
import { textOf } from '../../changes/history-words.js'
import { EvidenceList, isEvidence, Person, TextChange, Through } from '../../changes/provenance.js'
import { Badge, ErrorNote, Note } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { FormDialog } from '../../components/dialog.js'
import { Form, TextField } from '../../components/fields.js'
import { Control } from '../../edit/fields.js'
import { Time } from '../../components/time.js'
import { countOf } from '../../lib/format.js'
import { sentenceCase } from '../../lib/words.js'
import { plainLines, plainText } from '../../plan/plain-text.js'
import { effectOf, isProposal, KINDS, labelOf, TEXTS, type Changes, type Entry } from './entries.js'

interface EntryDetailsProps {
  entry: Entry
  failure: string | undefined
  /** Whether it no longer waits, as another decided it. */
  isGone: boolean
  pending: boolean
  onAccept: () => void
  onEdit: () => void
  onDismiss: () => void
  onAnswer: (text: string) => void
}

export const EntryDetails = ({ entry, failure, isGone, pending, ...on }: EntryDetailsProps) => {
  const { kind, by, proposal, question, gate, item, exploration } = entry
  const isDecided = isGone || (proposal && !isProposal(entry))
  const place = `/explorations/${exploration.id}${item ? `/plan?item=${encodeURIComponent(item.id)}` : ''}`
  return (
    <div class='inbox-details'>
      {by && <p class='aside-label'><Person by={by} /><Through by={by} /></p>}
      {proposal?.rationale !== undefined && <p class='lines'>{plainLines(proposal.rationale)}</p>}
      {proposal?.confidence !== undefined && <p><Badge>{sentenceCase(proposal.confidence)} confidence</Badge></p>}
      {proposal?.changes.map((change, at) => <Change key={at} change={change} />)}
      {gate && <ul class='inbox-criteria'>{gate.criteria?.map((one, at) => <li key={at}>{plainText(one)}</li>)}</ul>}
      {isDecided && <Decided entry={entry} />}
      {failure !== undefined && <ErrorNote>{failure}</ErrorNote>}
      {(isDecided || failure !== undefined) && item && <Since entry={entry} item={item.id} />}
      {question && <Answer options={question.options ?? []} pending={pending} onAnswer={on.onAnswer} />}
      <div class='form-actions'>
        {!question && !isDecided && (
          <Button variant='primary' pending={pending} onClick={on.onAccept}>{KINDS[kind].action}</Button>
        )}
        {kind === 'proposal' && !isDecided && <Button onClick={on.onEdit}>Edit</Button>}
        {isProposal(entry) && !isDecided && <Button onClick={on.onDismiss}>Dismiss</Button>}
        <a class='inbox-place' href={place}>{item ? 'Open in the plan' : 'Open the exploration'}</a>
      </div>
    </div>
  )
}

const Decided = ({ entry: { proposal } }: { entry: Entry }) => {
  const { value } = useOperation('GET /inbox', proposal ? { query: { proposal: proposal.id, limit: 1 } } : null)
  const { state, decided_by: by, decided_at: at, reason } = value?.items[0]?.proposal ?? {}
  return (
    <Note tone='warn' role='status'>
      This waits no longer:{' '}
      {by === undefined || at === undefined
        ? 'it was decided or changed meanwhile.'
        : <>{by} {state} it <Time value={at} />.{reason !== undefined && ` “${plainText(reason)}”`}</>}
    </Note>
  )
}

const Change = ({ change }: { change: Changes[number] }) => (
  <section class='inbox-change'>
    <p class='author'>{effectOf(change)}</p>
    {TEXTS.filter((field) => change[field] !== undefined).map((field) => (
      <TextChange
        key={field} label={labelOf(field)} after={textOf(change[field])}
        before={textOf(field === 'replace' ? change['find'] : change.place?.before[field])}
      />
    ))}
    {isEvidence(change.evidence) && <EvidenceList evidence={change.evidence} />}
  </section>
)

const Since = ({ entry: { exploration: { id }, at }, item }: { entry: Entry, item: string }) => {
  const { value } = useOperation('GET /explorations/:id/history', { params: { id }, query: { item, limit: 5 } })
  const rows = value?.history.filter((row) => row.at > at)
  if (!rows?.length) return null
  return (
    <div class='aside'>
      <p class='aside-label'>What has changed since</p>
      <HistoryRows rows={rows} titles={new Map()} mayUndo={false} />
    </div>
  )
}

interface AnswerProps { options: readonly string[], pending: boolean, onAnswer: (text: string) => void }

const Answer = ({ options, pending, onAnswer }: AnswerProps) => {
  const [text, setText] = useState('')
  return (
    <Form onSubmit={() => { if (text.trim() !== '') onAnswer(text) }}>
      <div class='form-actions'>
        {options.map((option) => (
          <Button key={option} pending={pending} onClick={() => onAnswer(option)}>{plainText(option)}</Button>
        ))}
      </div>
      <Control field={{ name: 'answer', label: 'Answer', kind: 'text' }} value={text} onInput={setText} />
      <Button variant='primary' type='submit' pending={pending} disabled={text.trim() === ''}>Answer</Button>
    </Form>
  )
}

interface DismissDialogProps { count: number, onDismiss: (reason: string) => Promise<void> }

export const DismissDialog = ({ count, onDismiss }: DismissDialogProps) => {
  const [reason, setReason] = useState('')
  return (
    <FormDialog
      title={`Dismiss ${countOf(count, 'proposal')}?`} description='Agents read the reason.' confirm='Dismiss'
      disabled={reason.trim() === ''} work={() => onDismiss(reason)}
    >
      <TextField label='Reason' value={reason} onInput={setReason} maxLength={500} required />
    </FormDialog>
  )
}

interface EditDialogProps { proposed: Changes, onAccept: (changes: Changes) => Promise<void> }

export const EditDialog = ({ proposed, onAccept }: EditDialogProps) => {
  const [changes, setChanges] = useState(proposed)
  return (
    <FormDialog
      title='Edit, then accept' confirm='Accept my version' work={() => onAccept(changes)}
      description='Your version is done. The proposal says who made it, and that you edited it.'
    >
      {changes.map((change, at) => (
        <fieldset key={at} class='form'>
          <legend class='field-label'>{effectOf(change)}</legend>
          {TEXTS.filter((field) => change[field] !== undefined).map((field) => {
            const isList = field === 'acceptance'
            const kind = field === 'title' ? 'line' : isList ? 'criteria' : 'text'
            return (
              <Control
                key={field} field={{ name: field, label: labelOf(field), kind }}
                value={isList ? JSON.stringify(change[field]) : String(change[field])}
                onInput={(text) => setChanges(
                  changes.with(at, { ...change, [field]: isList ? JSON.parse(text) : text }))}
              />
            )
          })}
        </fieldset>
      ))}
    </FormDialog>
  )
}
