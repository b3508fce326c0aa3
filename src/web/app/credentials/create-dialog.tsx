/** Creates a key or a token: name, scope, workspaces, expiry. */
import { useState } from 'preact/hooks'
import type { Scope } from '../../../lib/principal.js'
import { useOperation } from '../api/resource.js'
import { RadioCards } from '../components/choices.js'
import { FormDialog } from '../components/dialog.js'
import { Select, TextField } from '../components/fields.js'
import { useScopeChoices } from '../lib/access-words.js'
import { shortDate } from '../lib/format.js'
import { useTimeZone } from '../lib/session.js'
import type { CreatedCredential, CredentialKindInfo } from './credential-kinds.js'
import { REACHES, useReach } from './reach.js'

const MAX_NAME = 200

type ExpiryChoice = '7' | '30' | '90' | '365' | 'date' | 'never'

const EXPIRIES = Object.entries({
  7: 'In 7 days', 30: 'In 30 days', 90: 'In 90 days', 365: 'In a year', date: 'On a date', never: 'Never'
}).map(([value, label]) => ({ value: value as ExpiryChoice, label }))

const DAY_MS = 86_400_000

/** The end, if there is one; the fields of the request; what is wrong, as a sentence. */
const expiryOf = (choice: ExpiryChoice, date: string, now: Date) => {
  if (choice === 'never') return { fields: { never: true as const } }
  if (choice !== 'date') {
    return { end: new Date(now.getTime() + Number(choice) * DAY_MS), fields: { expires_in_days: Number(choice) } }
  }
  // The last moment of the day in the time zone of the browser.
  const end = new Date(`${date}T23:59:59`)
  if (Number.isNaN(end.getTime())) return { fields: {}, fault: 'Choose a date.' }
  const fault = end <= now ? 'Choose a date in the future.' : undefined
  return { end, fields: { expires_at: end.toISOString() }, fault }
}

interface CreateDialogProps {
  kind: CredentialKindInfo
  name?: string
  onCreated: (created: CreatedCredential) => void
}

export const CreateDialog = ({ kind, name: initialName = '', onCreated }: CreateDialogProps) => {
  const timeZone = useTimeZone()
  const { reach, setReach, list, body, fault } = useReach(useOperation('GET /workspaces').value?.workspaces ?? [])
  const [name, setName] = useState(initialName)
  const scopes = useScopeChoices(kind.noun)
  const [scope, setScope] = useState<Scope>('read')
  const [expires, setExpires] = useState<ExpiryChoice>(kind.defaultExpiry)
  const [date, setDate] = useState('')
  const [checked, setChecked] = useState(false)
  const now = new Date()
  const { end, fields, fault: dateFault } = expiryOf(expires, date, now)
  const faults = {
    name: name.trim() === '' ? `Give the ${kind.noun} a name, such as the program that uses it.` : undefined,
    fault,
    date: dateFault
  }
  const check = (): boolean => {
    setChecked(true)
    return Object.values(faults).every((fault) => fault === undefined)
  }
  const create = async (): Promise<void> =>
    onCreated(await kind.create({ name: name.trim(), scope, ...body, ...fields }))
  return (
    <FormDialog
      title={`Create ${kind.noun}`} description='It can do at most what you can do.' confirm={`Create ${kind.noun}`}
      check={check} work={create} changes={[kind.path]} onDone={() => {}}
    >
      <TextField
        label='Name' value={name} onInput={setName} maxLength={MAX_NAME} placeholder='claude-code on my laptop' required
        data-autofocus error={checked ? faults.name : undefined} spellcheck={false}
      />
      <RadioCards label='Scope' choices={scopes} value={scope} onChange={setScope} />
      <div class='field-row'>
        <Select
          label='Workspaces' value={reach} onInput={setReach} options={REACHES} error={checked ? fault : undefined}
        />
        <Select
          label='Expires' value={expires} onInput={setExpires} options={EXPIRIES}
          hint={end === undefined
            ? (expires === 'never' ? 'It is in force until someone revokes it.' : undefined)
            : `on ${shortDate(end, timeZone)}`}
        />
      </div>
      {list}
      {expires === 'date' && (
        <TextField
          type='date'
          label='Last day' value={date} onInput={setDate} min={now.toISOString().slice(0, 10)}
          error={checked ? dateFault : undefined}
        />
      )}
    </FormDialog>
  )
}
