/** Creating a credential from beginning to end: the form with name, scope, workspaces and expiry, then the secret. */
import { useState } from 'preact/hooks'
import type { Scope } from '../../../lib/principal.js'
import { useOperation } from '../api/resource.js'
import { Button } from '../components/button.js'
import { RadioCards } from '../components/choices.js'
import { CodeField, SecretReveal } from '../components/code-field.js'
import { Dialog, FormDialog } from '../components/dialog.js'
import { Select, TextField } from '../components/fields.js'
import { closeDialog } from '../components/show-dialog.js'
import { useScopeChoices } from '../lib/access-words.js'
import { shortDate } from '../lib/format.js'
import { useSessionState, useTimeZone } from '../lib/session.js'
import type { CreatedCredential, CredentialKindInfo } from './credential-kinds.js'
import { useReach } from './reach.js'
import { TestConnection } from './test-connection.js'

interface CreateFlowProps {
  kind: CredentialKindInfo
  name?: string
  onDone?: (created: CreatedCredential) => void
}

export const CreateFlow = ({ kind, name, onDone }: CreateFlowProps) => {
  const [created, setCreated] = useState<CreatedCredential>()
  if (!created) return <CreateDialog kind={kind} name={name} onCreated={setCreated} />
  const close = (): void => {
    closeDialog()
    onDone?.(created)
  }
  return <SecretDialog kind={kind} created={created} onStored={close} />
}

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

type CreateDialogProps = Pick<CreateFlowProps, 'kind' | 'name'> & { onCreated: (created: CreatedCredential) => void }

const CreateDialog = ({ kind, name: initialName = '', onCreated }: CreateDialogProps) => {
  const timeZone = useTimeZone()
  const [name, setName] = useState(initialName)
  const scopes = useScopeChoices(kind.noun)
  const [scope, setScope] = useState<Scope>('read')
  const [expires, setExpires] = useState<ExpiryChoice>(kind.defaultExpiry)
  const [date, setDate] = useState('')
  const [checked, setChecked] = useState(false)
  const { select, list, body, fault } = useReach(useOperation('GET /workspaces').value?.workspaces ?? [], checked)
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
        {select}
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

interface SecretDialogProps { kind: CredentialKindInfo, created: CreatedCredential, onStored: () => void }

/** Shows a new secret, once. Only its button closes it, so that no slip loses the secret. */
const SecretDialog = ({ kind, created: { name, secret }, onStored }: SecretDialogProps) => {
  const endpoint = useSessionState()?.session.server.endpoint
  return (
    <Dialog
      title={`Copy your ${kind.noun}`} description={`${name} is ready.`} persistent
      footer={<Button variant='primary' onClick={onStored}>I have stored it</Button>}
    >
      <SecretReveal secret={secret} kind={kind.noun} />
      <TestConnection secret={secret} />
      {endpoint !== undefined && (
        <div class='field'>
          <span class='field-label'>Claude Code</span>
          <CodeField
            label='command' text={`claude mcp add --scope user --transport http exploration ${endpoint} ` +
            `--header "Authorization: Bearer ${secret}"`}
          />
          <span class='field-hint'>
            Another agent? <a href='/integrations/connect' onClick={onStored}>The guides</a> have its file and its
            button.
          </span>
        </div>
      )}
    </Dialog>
  )
}
