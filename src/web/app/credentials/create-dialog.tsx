/** Creates a key or a token: name, scope, workspaces, expiry. */
import { useState } from 'preact/hooks'
import type { Scope } from '../../../lib/principal.js'
import { useAction } from '../api/action.js'
import { useOperation } from '../api/resource.js'
import { Button } from '../components/button.js'
import { CheckboxList, RadioCards } from '../components/choices.js'
import { Dialog } from '../components/dialog.js'
import { ErrorNote } from '../components/error-note.js'
import { Select } from '../components/select.js'
import { DateField, TextField } from '../components/text-field.js'
import { useScopeChoices } from '../lib/access-words.js'
import { shortDate } from '../lib/format-time.js'
import { usePreferences } from '../lib/preferences.js'
import type { CreatedCredential, CredentialKindInfo } from './credential-kinds.js'
import { dateFault, EXPIRIES, expiryDate, expiryFields, type ExpiryChoice } from './expiry.js'

const MAX_NAME = 200

export interface CreateDialogProps {
  kind: CredentialKindInfo
  /** What the name is at first, such as the agent that it is for. */
  name?: string
  onCreated: (created: CreatedCredential) => void
  onClose: () => void
}

/** Draws the form; `onCreated` gives the new credential with its secret. */
export const CreateDialog = ({ kind, name: initialName = '', onCreated, onClose }: CreateDialogProps) => {
  const { timeZone } = usePreferences()
  const workspaces = useOperation('GET /workspaces').value?.workspaces ?? []
  const [name, setName] = useState(initialName)
  const scopes = useScopeChoices(kind.noun)
  const [scope, setScope] = useState<Scope>('read')
  const [limited, setLimited] = useState<'all' | 'some'>('all')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [expires, setExpires] = useState<ExpiryChoice>(kind.defaultExpiry)
  const [date, setDate] = useState('')
  const [checked, setChecked] = useState(false)
  const now = new Date()
  const faults = {
    name: name.trim() === '' ? `Give the ${kind.noun} a name, such as the program that uses it.` : undefined,
    workspaces: limited === 'some' && chosen.length === 0 ? 'Choose at least one workspace.' : undefined,
    date: dateFault(expires, date, now)
  }
  const create = useAction(async () => {
    onCreated(await kind.create({
      name: name.trim(),
      scope,
      ...limited === 'some' && { workspaces: [...chosen] },
      ...expiryFields(expires, date)
    }))
  })
  const submit = (): void => {
    setChecked(true)
    if (Object.values(faults).every((fault) => fault === undefined)) create.run()
  }
  const end = expiryDate(expires, date, now)
  return (
    <Dialog
      title={`Create ${kind.noun}`} description='It can do at most what you can do.' onClose={onClose} onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant='primary' type='submit' pending={create.pending}>{`Create ${kind.noun}`}</Button>
        </>
      }
    >
      <TextField
        label='Name'
        value={name}
        onInput={setName}
        maxLength={MAX_NAME}
        placeholder='claude-code on my laptop'
        required
        data-autofocus
        error={checked ? faults.name : undefined}
        spellcheck={false}
      />
      <RadioCards label='Scope' choices={scopes} value={scope} onChange={setScope} />
      <div class='field-row'>
        <Select
          label='Workspaces' value={limited} onChange={setLimited}
          options={[{ value: 'all', label: 'All that I see' }, { value: 'some', label: 'Only some' }]}
          error={checked ? faults.workspaces : undefined}
        />
        <Select
          label='Expires' value={expires} onChange={setExpires} options={EXPIRIES}
          hint={end === undefined
            ? (expires === 'never' ? 'It is in force until somebody revokes it.' : undefined)
            : `on ${shortDate(end, timeZone)}`}
        />
      </div>
      {limited === 'some' && (
        <CheckboxList
          label='Which workspaces'
          options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          values={chosen}
          onChange={setChosen}
        />
      )}
      {expires === 'date' && (
        <DateField
          label='Last day'
          value={date}
          onInput={setDate}
          min={now.toISOString().slice(0, 10)}
          error={checked ? faults.date : undefined}
        />
      )}
      {create.error !== undefined && <ErrorNote>{create.error}</ErrorNote>}
    </Dialog>
  )
}
