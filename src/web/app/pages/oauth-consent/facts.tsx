/** What the person has to know before deciding: one fact a line, and what may be wrong with a valid request. */
import { useAction } from '../../api/action.js'
import { Button } from '../../components/button.js'
import { Card, DescriptionList } from '../../components/layout.js'
import { HostileText } from '../../components/hostile-text.js'
import { Note } from '../../components/states.js'
import { useScopeWords } from '../../lib/access-words.js'
import { leave } from '../../lib/session.js'
import { SCOPE_LABELS } from '../../lib/words.js'
import type { ConsentDetails } from '../../api/answers.js'

export const Facts = ({ request }: { request: ConsentDetails }) => {
  const { client, redirect, scopes, user, lifetime_days: days, restart_path: restart } = request
  const describe = useScopeWords('key')
  const list = <a href='/settings/connections' target='_blank' rel='noreferrer'>disconnect it</a>
  return (
    <Card>
      <DescriptionList
        items={[
          ['Vouched for by', <Voucher key='voucher' client={client} />],
          ['Answer goes to', <Target key='redirect' redirect={redirect} />],
          ['You are', <Person key='person' user={user} restart={restart} />],
          ['It may call', scopes.map((scope) => describe(scope) ?? SCOPE_LABELS[scope]).join('; ')],
          ['For', <span key='lifetime'>{lifetimeText(days)}, or until you {list}</span>]
        ]}
      />
    </Card>
  )
}

const lifetimeText = (days: number): string => days > 1 ? `${days} days after its last use` : 'A day at most'

const Target = ({ redirect: { host, loopback } }: Pick<ConsentDetails, 'redirect'>) => (
  <span><code>{host}</code>{loopback && ', a program on this computer'}</span>
)

const Voucher = ({ client: { uri, vouched_by: { kind, host } } }: Pick<ConsentDetails, 'client'>) => {
  if (kind === 'preregistered') return <>The administrator of this server</>
  if (kind === 'document' && host !== null) return <span><code>{host}</code>, whose page describes it</span>
  if (uri === undefined) return <>No one: it registered itself</>
  return <span>No one: it registered itself, and names <HostileText text={uri} /></span>
}

const Person = ({ user: { name, email }, restart }: { user: ConsentDetails['user'], restart: string }) => {
  const switchAccount = useAction(() => leave(restart))
  return (
    <span class='consent-person'>
      <span><b>{name}</b> <span class='consent-email'>{email}</span></span>
      <Button size='s' variant='ghost' pending={switchAccount.pending} onClick={() => switchAccount.run()}>
        Use another account
      </Button>
    </span>
  )
}

type WarningsProps = Pick<ConsentDetails, 'client' | 'redirect'>

/** Draws a note where anybody could have made the request; nothing otherwise. */
export const Warnings = ({ client: { vouched_by: { kind, host } }, redirect }: WarningsProps) => {
  if (redirect.loopback) {
    const other = kind === 'document' && host !== null ? host : 'another one'
    return (
      <Note tone='warn'>
        The answer goes to a program on this computer, and any program there can pose as {other}. Allow only what you
        have just started yourself, on this computer.
      </Note>
    )
  }
  if (kind === 'registered') {
    return (
      <Note tone='warn'>
        No one checked its name. Allow only if you know <b>{redirect.host}</b> and have just started this there.
      </Note>
    )
  }
  return null
}
