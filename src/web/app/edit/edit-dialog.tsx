/** The dialog of a form: loads its record, keeps what is typed, saves it, and shows both versions of a conflict. */
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../api/action.js'
import { pathOf } from '../api/call.js'
import { RequestError } from '../api/problem.js'
import { requestJson } from '../api/request.js'
import { Button } from '../components/button.js'
import { Dialog } from '../components/dialog.js'
import { ErrorNote, Note, SkeletonText } from '../components/states.js'
import { useSessionState } from '../lib/session.js'
import { plainLines } from '../plan/plain-text.js'
import { Conflict } from './conflict.js'
import { Control } from './fields.js'
import type { EditedRecord, Form, Subject } from './form.js'
import { FORMS } from './forms.js'
import { makeChanges } from './use-change.js'
import { useDraft } from './use-draft.js'
import { Versions } from './versions.js'

interface EditDialogProps { name: string, subject: Subject, onClose: () => void }

export const EditDialog = (props: EditDialogProps) => {
  const { name, subject: { exploration: id, id: record }, onClose } = props
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined
  const [loaded, setLoaded] = useState<EditedRecord>()
  const { run, error } = useAction(async () => setLoaded(await requestJson('GET', pathOf(
    'GET /explorations/:id/records/:kind/:record', { id, kind: form?.record, record: record === '' ? id : record }))))
  useEffect(() => { if (form?.record !== undefined) run() }, [])
  if (name === 'versions') return <Versions exploration={id} type={record} onClose={onClose} />
  if (form === undefined) return null
  if (loaded || form.record === undefined) return <FormDialog {...props} form={form} loaded={loaded} />
  return (
    <Dialog wide title={form.title} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      {error === undefined ? <SkeletonText /> : <ErrorNote>{error}</ErrorNote>}
    </Dialog>
  )
}

type FormDialogProps = EditDialogProps & { form: Form, loaded: EditedRecord | undefined }

const FormDialog = ({ form, name, subject, loaded, onClose }: FormDialogProps) => {
  const { route } = useLocation()
  const person = useSessionState()?.session.user.id
  const [record, setRecord] = useState(loaded)
  const [conflict, setConflict] = useState(false)
  const { draft: { mine, revision }, keep, restored, tooLong } =
    useDraft(['draft', person, subject.exploration, name, subject.id].join(' '), loaded?.revision ?? null)
  const started = { ...subject, record: record?.fields ?? {} }
  const base = form.values?.(started) ?? {}
  const values = { ...base, ...mine }
  const fields = form.fields(started, values)
  const isReady = Object.keys(mine).length > 0 &&
    !fields.some((field) => field.required && (values[field.name] ?? '').trim() === '')

  const close = (): void => {
    keep({ mine: {}, revision })
    onClose()
  }
  const save = useAction(async () => {
    const filled = { ...started, values, mine }
    try {
      const address = await form.send?.(filled)
      if (form.changes) await makeChanges(subject.exploration, form.changes(filled), revision)
      close()
      if (address !== undefined) route(address)
    } catch (failure) {
      if (!(failure instanceof RequestError) || failure.status !== 412) throw failure
      const current = failure.details['current'] as EditedRecord
      setRecord(current)
      keep({ mine, revision: current.revision })
      setConflict(true)
    }
  })
  const set = (name: string, value: string): void => {
    const { [name]: _, ...others } = mine
    keep({ mine: value === (base[name] ?? '') ? others : { ...others, [name]: value }, revision })
  }
  const about = form.about?.(started)
  return (
    <Dialog
      title={form.title} onClose={onClose} wide onSubmit={() => { if (isReady) save.run() }}
      footer={
        <>
          {Object.keys(mine).length > 0 &&
            <Button variant='ghost' onClick={close}>{conflict ? 'Take theirs' : 'Discard'}</Button>}
          {conflict
            ? <Button onClick={() => setConflict(false)}>Edit on</Button>
            : <Button onClick={onClose}>Close</Button>}
          <Button variant='primary' type='submit' pending={save.pending} disabled={!isReady}>
            {conflict ? 'Keep mine' : 'Save'}
          </Button>
        </>
      }
    >
      {about !== undefined && <p class='edit-about'>{plainLines(String(about))}</p>}
      {restored && !conflict && <Note>This is what you had typed and not saved.</Note>}
      {tooLong && <Note tone='warn'>This text is too long to be kept when you leave the page: save it first.</Note>}
      {conflict && record
        ? <Conflict record={record} fields={fields} mine={mine} theirs={base} />
        : fields.map((field) => (
          <Control
            key={field.name} field={field} value={values[field.name] ?? ''} onInput={(value) => set(field.name, value)}
          />
        ))}
      {save.error !== undefined && <ErrorNote>{save.error}</ErrorNote>}
    </Dialog>
  )
}
