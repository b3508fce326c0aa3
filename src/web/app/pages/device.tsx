/** Approves or denies a tool that waits for a token: `init` on another machine shows the code and opens this page. */
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { Scope } from '../../../lib/principal.js'
import { useAction } from '../api/action.js'
import { call, type Answer } from '../api/call.js'
import { invalidate, useOperation } from '../api/resource.js'
import { Badge, ErrorNote, Note, SkeletonText } from '../components/states.js'
import { Button } from '../components/button.js'
import { Card, DescriptionList, PageHeader } from '../components/layout.js'
import { RadioCards } from '../components/choices.js'
import { Form, TextField } from '../components/fields.js'
import { Time } from '../components/time.js'
import { useReach } from '../credentials/reach.js'
import { useScopeChoices } from '../lib/access-words.js'

type Waiting = Answer<'GET /devices/:code'>

/** `bcdfghjk` → `BCDF-GHJK`, the form in which tools show a code. */
const formatCode = (text: string): string => {
  const letters = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4, 64)}` : letters
}

const Device = () => {
  const { query, path, route } = useLocation()
  const code = query['code'] ?? query['user_code'] ?? ''
  const { value: waiting, error, pending, update } = useOperation(
    'GET /devices/:code', code === '' ? null : { params: { code } }
  )
  return (
    <>
      <PageHeader
        title='Approve a device'
        description={'A tool on another machine asks for a token of yours. It shows a code: compare it with the ' +
          'one here.'}
      />
      <Card>
        {code === '' || error !== undefined
          ? (
            <CodeForm
              code={code} error={error} pending={pending}
              onSubmit={(next) => route(`${path}?code=${encodeURIComponent(next)}`)}
            />
            )
          : waiting
            ? (
              <Decision
                key={code} code={formatCode(code)} waiting={waiting} onDecided={(decided) => update(() => decided)}
              />
              )
            : <SkeletonText lines={5} />}
      </Card>
    </>
  )
}

const CodeForm = ({ code, error, pending, onSubmit }: {
  code: string, error: string | undefined, pending: boolean, onSubmit: (code: string) => void
}) => {
  const [text, setText] = useState(formatCode(code))
  return (
    <Form onSubmit={() => { if (text !== '') onSubmit(text) }}>
      <TextField
        label='Code' value={text} onInput={(value) => setText(formatCode(value))} code placeholder='BCDF-GHJK'
        autocomplete='one-time-code' spellcheck={false} maxLength={64} error={error}
        hint='The tool shows it, on the machine where you started it.'
      />
      <div><Button variant='primary' type='submit' pending={pending && code !== ''}>Continue</Button></div>
    </Form>
  )
}

const Decision = (
  { code, waiting, onDecided }: { code: string, waiting: Waiting, onDecided: (decided: Waiting) => void }
) => {
  const scopes = useScopeChoices('token')
  const [scope, setScope] = useState<Scope>('read')
  const [checked, setChecked] = useState(false)
  const { select, list, body, fault } = useReach(useOperation('GET /workspaces').value?.workspaces ?? [], checked)
  const params = { code }
  const approve = useAction(async () => {
    const decided = await call('POST /devices/:code/approval', { params, body: { scope, ...body } })
    invalidate('/tokens')
    onDecided(decided)
  })
  const deny = useAction(async () => { onDecided(await call('POST /devices/:code/denial', { params })) })
  const failure = approve.error ?? deny.error
  return (
    <div class='form'>
      <DescriptionList
        items={{
          Code: <code>{code}</code>,
          Machine: <b>{waiting.name}</b>,
          Program: waiting.client_id ?? 'not named',
          Address: <code>{waiting.remote_address}</code>,
          Asked: <Time value={waiting.created_at} />
        }}
      />
      {waiting.state === 'pending'
        ? (
          <>
            <RadioCards label='Scope' choices={scopes} value={scope} onChange={setScope} />
            {select}
            {list}
            <Note tone='warn'>
              Approve only what you have started yourself. No one calls or writes to you to ask for a code.
            </Note>
            {failure !== undefined && <ErrorNote>{failure}</ErrorNote>}
            <div class='form-actions'>
              <Button
                variant='primary' pending={approve.pending}
                onClick={() => {
                  setChecked(true)
                  if (fault === undefined) approve.run()
                }}
              >Approve
              </Button>
              <Button pending={deny.pending} onClick={() => deny.run()}>Deny</Button>
            </div>
          </>
          )
        : waiting.state === 'approved'
          ? (
            <Note tone='good' role='status'>
              Approved. The tool has its token within a few seconds: go back to it.{' '}
              <a href='/settings/tokens'>Your tokens</a>
            </Note>
            )
          : <div role='status'><Badge tone='bad' icon='close'>Denied</Badge> The tool gets no token.</div>}
    </div>
  )
}

export default Device
