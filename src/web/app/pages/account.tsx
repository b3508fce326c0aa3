/** The person's account: name and preferences, passkeys, where they are signed in. */
import { useAction } from '../api/action.js'
import { call, type Answer } from '../api/call.js'
import { invalidate, useOperation } from '../api/resource.js'
import { Button } from '../components/button.js'
import { Card, PageHeader } from '../components/layout.js'
import { Badge, ErrorNote } from '../components/states.js'
import { actionsColumn, CellLines, Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { showToast } from '../components/toast.js'
import { describeBrowser } from '../lib/describe-browser.js'
import { signOut } from '../lib/session.js'
import { Passkeys } from './account/passkeys.js'
import { Preferences } from './account/preferences.js'
import './account.css'

const Account = () => {
  const leave = useAction(signOut)
  return (
    <>
      <PageHeader title='Account' description='How others see you, how you sign in, and where you are signed in.' />
      <Preferences />
      <Passkeys />
      <Sessions />
      <Card
        title='Sign out' description='Ends the session of this browser. Keys and tokens go on working.'
        actions={<Button icon='signOut' pending={leave.pending} onClick={() => leave.run()}>Sign out</Button>}
      >
        {leave.error !== undefined && <ErrorNote>{leave.error}</ErrorNote>}
      </Card>
    </>
  )
}

type OwnSession = Answer<'GET /sessions'>['sessions'][number]

const METHODS: Record<OwnSession['method'], string> = {
  link: 'by a link',
  passkey: 'by a passkey',
  oidc: 'by the provider',
  invitation: 'by an invitation'
}

const Sessions = () => {
  const list = useOperation('GET /sessions')
  const end = useAction(async (id: string | undefined) => {
    await (id === undefined ? call('DELETE /sessions') : call('DELETE /sessions/:id', { params: { id } }))
    invalidate('/sessions')
    showToast(id === undefined ? 'The other sessions have ended.' : 'The session has ended.')
  })
  return (
    <Card
      title='Sessions' description='A session ends after 12 hours without use, and after 30 days.' flush
      actions={list.value?.sessions.some(({ current }) => !current) &&
        <Button pending={end.pending} onClick={() => end.run(undefined)}>End all others</Button>}
    >
      {end.error !== undefined && <div class='card-note'><ErrorNote>{end.error}</ErrorNote></div>}
      <Table
        label='Sessions' {...list} rows={list.value?.sessions} expected={1}
        columns={[
          {
            header: 'Browser',
            cell: ({ user_agent: agent, remote_address: address, current, method }) => (
              <CellLines title={<>{describeBrowser(agent)} {current && <Badge tone='good'>this one</Badge>}</>}>
                {METHODS[method]}{address !== null && <>, from {address}</>}
              </CellLines>
            )
          },
          { header: 'Signed in', hideBelow: 40, cell: ({ created_at: at }) => <Time value={at} /> },
          { header: 'Last seen', hideBelow: 40, cell: ({ last_seen_at: at }) => <Time value={at} /> },
          actionsColumn(({ id, current }: OwnSession) => !current && (
            <Button variant='ghost' size='s' onClick={() => end.run(id)}>End</Button>
          ))
        ]}
      />
    </Card>
  )
}

export default Account
