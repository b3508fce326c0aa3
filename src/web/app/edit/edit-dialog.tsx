/** The dialog of a form: loads its record, keeps what is typed, saves it, and shows both versions of a conflict. */
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../api/action.js'
import { pathOf } from '../api/call.js'
import { RequestError } from '../api/problem.js'
import { requestJson } from '../api/request.js'
import { textOf } from '../changes/history-words.js'
import { Button } from '../components/button.js'
import { Dialog } from '../components/dialog.js'
import { ErrorNote, Note, SkeletonText } from '../components/states.js'
import { Time } from '../components/time.js'
import { WordDiff } from '../components/word-diff.js'
import { useSessionState } from '../lib/session.js'
import { plainLines } from '../plan/plain-text.js'
import { Control } from './fields.js'
import type { EditedRecord, Field, Form, Subject, Values } from './form.js'
import { FORMS } from './forms.js'
import { makeChanges } from './use-change.js'
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

/** The fields that were changed, and the revision of the record that they were changed in. */
interface Draft { mine: Values, revision: number | null }

const read = (key: string): Draft | null => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Keeps it in this browser, over a reload, the end of a session, and a conflict; `key` names person, record, form. */
const useDraft = (key: string, revision: number | null) => {
  const [stored] = useState(() => read(key))
  const [draft, setDraft] = useState(stored ?? { mine: {}, revision })
  const [tooLong, setTooLong] = useState(false)
  const keep = (next: Draft): void => {
    setDraft(next)
    try {
      if (Object.keys(next.mine).length === 0) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(next))
      setTooLong(false)
    } catch {
      setTooLong(true)
    }
  }
  return { draft, keep, restored: stored !== null, tooLong }
}

const shown = ({ kind, options }: Field, value = ''): string =>
  kind === 'criteria' ? textOf(JSON.parse(value)) : options?.find((one) => one.value === value)?.label ?? value

const Version = ({ title, children }: { title: string, children: ComponentChildren }) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard
  <div tabIndex={0} role='group' aria-label={title}><h4>{title}</h4>{children}</div>
)

interface ConflictProps { fields: readonly Field[], mine: Values, theirs: Values, record: EditedRecord }

const Conflict = ({ fields, mine, theirs, record: { changed_by: by, changed_at: at } }: ConflictProps) => (
  <>
    <Note tone='warn' role='alert'>
      {by ?? 'Somebody'} saved another version{at === undefined ? ' since you began' : <> <Time value={at} /></>}.
      Nothing of yours is lost, and nothing of it is saved yet.
    </Note>
    {fields.filter(({ name }) => name in mine && mine[name] !== theirs[name]).map((field) => {
      const [yours, saved] = [shown(field, mine[field.name]), shown(field, theirs[field.name])]
      return (
        <section key={field.name} class='edit-versions' aria-label={field.label}>
          <h3>{field.label}</h3>
          <Version title='Yours'><p>{plainLines(yours)}</p></Version>
          <Version title='Theirs'><p>{plainLines(saved)}</p></Version>
          <Version title='From theirs to yours'><WordDiff before={saved} after={yours} /></Version>
        </section>
      )
    })}
  </>
)
