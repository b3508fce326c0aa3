/** Where the person is signed in. */
import { useAction } from '../../api/action.js'
import { call, type Answer } from '../../api/call.js'
import { invalidate, useOperation } from '../../api/resource.js'
import { Badge } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { actionsColumn, CellLines, Table } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { showToast } from '../../components/toast.js'
import { describeBrowser } from '../../lib/describe-browser.js'

type OwnSession = Answer<'GET /sessions'>['sessions'][number]

const METHODS: Record<OwnSession['method'], string> = {
  link: 'by a link',
  passkey: 'by a passkey',
  oidc: 'by the provider',
  invitation: 'by an invitation'
}

export const Sessions = () => {
  const list = useOperation('GET /sessions')
  const end = useAction(async (id: string | undefined) => {
    await (id === undefined ? call('DELETE /sessions') : call('DELETE /sessions/:id', { params: { id } }))
    invalidate('/sessions')
    showToast(id === undefined ? 'The other sessions have ended.' : 'The session has ended.')
  })
  const others = (list.value?.sessions ?? []).some(({ current }) => !current)
  return (
    <Card
      title='Sessions' description='A session ends after 12 hours without use, and after 30 days.' flush
      actions={others
        ? <Button pending={end.pending} onClick={() => end.run(undefined)}>End all others</Button>
        : undefined}
    >
      <Table
        label='Sessions' rows={list.value?.sessions} rowKey={({ id }) => id}
        error={list.value ? end.error : list.error} onRetry={list.retry} expected={2}
        columns={[
          {
            id: 'browser',
            header: 'Browser',
            cell: ({ user_agent: agent, remote_address: address, current, method }) => (
              <CellLines title={<>{describeBrowser(agent)} {current && <Badge tone='good'>this one</Badge>}</>}>
                {METHODS[method]}{address !== null && <>, from {address}</>}
              </CellLines>
            )
          },
          { id: 'started', header: 'Signed in', hideBelow: 40, cell: ({ created_at: at }) => <Time value={at} /> },
          { id: 'seen', header: 'Last seen', hideBelow: 40, cell: ({ last_seen_at: at }) => <Time value={at} /> },
          actionsColumn(({ id, current }: OwnSession) => !current && (
            <Button variant='ghost' size='s' onClick={() => end.run(id)}>End</Button>
          ))
        ]}
      />
    </Card>
  )
}
