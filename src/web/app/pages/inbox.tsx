/** What waits for a person: proposals, finished items, questions, failed gates, expired claims; decided by keys too. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../api/action.js'
import { Badge, EmptyState, Note, SkeletonText, Waiting } from '../components/states.js'
import { Button, LinkButton } from '../components/button.js'
import { Card, PageHeader, Pagination } from '../components/layout.js'
import { showDialog } from '../components/show-dialog.js'
import { Time } from '../components/time.js'
import { useDocumentTitle } from '../lib/document-title.js'
import { countOf } from '../lib/format.js'
import { useIsEditor } from '../lib/session.js'
import { useModule } from '../lib/use-module.js'
import { plainText } from '../plan/plain-text.js'
import { openShortcuts, usePageKeys } from '../shell/shortcuts.js'
import {
  accept, answer, dismiss, isProposal, keyOf, KINDS, titleOf, type Decision, type Entry
} from './inbox/entries.js'
import { groupsOf, useInbox } from './inbox/use-inbox.js'
import './inbox/inbox.css'

/** How many entries before the last that is loaded more are asked for. */
const AHEAD = 5

type Work = (entry: Entry) => Promise<Decision>

const Inbox = () => {
  const inbox = useInbox()
  const details = useModule(() => import('./inbox/entry-details.js'))
  const { list, entries, current, fresh } = inbox
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { total = 0, counts = {} } = list.first ?? {}
  useDocumentTitle(total > 0 ? `(${total}) Needs you` : 'Needs you')

  const chosen = entries.filter((entry) => selected.has(keyOf(entry)))
  const about = chosen.length > 0 ? chosen : current ? [current] : []
  const decision = useAction(async ([done, work]: [string, Work]) => {
    await inbox.decide(about, done, work)
    setSelected(new Set())
    // What had the focus is gone, or it was on none of them: what comes next has it.
    requestAnimationFrame(() => { if (!document.activeElement?.closest('.inbox-entry')) focusOn('.inbox-open') })
  })
  const decide = (done: string, work: Work): void => decision.run([done, work])
  const acceptAll = (): void => {
    if (about[0]?.kind === 'question') focusOn('.inbox-details textarea')
    else if (about[0]) decide(KINDS[about[0].kind].done, (entry) => accept(entry))
  }
  const askReason = (): void => {
    if (!details || about.length === 0 || !about.every(isProposal)) return
    showDialog(
      <details.DismissDialog
        count={about.length} onDismiss={async (reason) => decide('Dismissed', (entry) => dismiss(entry, reason))}
      />
    )
  }
  const edit = (): void => {
    if (!details || current?.kind !== 'proposal' || !current.proposal || !isProposal(current)) return
    showDialog(
      <details.EditDialog
        proposed={current.proposal.changes}
        onAccept={async (changes) => decide('Accepted in your version', (entry) => accept(entry, changes))}
      />
    )
  }
  const move = (step: number): void => {
    const at = entries.findIndex((entry) => entry === current)
    // A workspace may go on in what is not loaded yet.
    if (step > 0 && entries[at + AHEAD]?.workspace.id !== current?.workspace.id) list.onMore?.()
    const next = entries[at + step]
    if (!next) return
    inbox.open(keyOf(next))
    focusOn(`[data-entry="${CSS.escape(keyOf(next))}"] > button`)
  }
  const toggle = (entry: Entry): void => setSelected((keys) => new Set(
    keys.has(keyOf(entry)) ? [...keys].filter((key) => key !== keyOf(entry)) : [...keys, keyOf(entry)]))
  usePageKeys([
    { key: 'j', label: 'Next', run: () => move(1) },
    { key: 'k', label: 'Previous', run: () => move(-1) },
    { key: 'a', label: 'Accept, answer, open again, release', run: acceptAll },
    { key: 'e', label: 'Edit, then accept', run: edit },
    { key: 'd', label: 'Dismiss with a reason', run: askReason },
    { key: 'x', label: 'Select', run: () => { if (current && isProposal(current)) toggle(current) } },
    { key: 'z', label: 'Undo', run: () => { void inbox.undoLast() } }
  ])

  const foot = useRef<HTMLDivElement>(null)
  const more = useRef(list.onMore)
  more.current = list.onMore
  useEffect(() => {
    const seen = new IntersectionObserver(([end]) => { if (end?.isIntersecting) more.current?.() })
    if (foot.current) seen.observe(foot.current)
    return () => seen.disconnect()
  }, [])

  const waiting = Object.entries<number>(counts).filter(([, count]) => count > 0)
    .map(([kind, count]) => countOf(count, KINDS[kind as Entry['kind']].noun))
  return (
    <>
      <PageHeader
        title='Needs you' description={waiting.join(', ') || 'What agents propose, finish and ask.'}
        actions={<Button icon='keyboard' data-keys onClick={openShortcuts}>Keys</Button>}
      />
      {inbox.isUnknown && <Note tone='warn'>There is no proposal with this address, or you may not decide it.</Note>}
      {fresh > 0 && <Button class='inbox-fresh' icon='sortUp' onClick={inbox.showFresh}>{fresh} new</Button>}
      {(entries.length === 0 || !details) && (
        <Card>
          {list.rows && details
            ? <Nothing />
            : <Waiting {...list} lines={8} />}
        </Card>
      )}
      {details && groupsOf(entries).map((group) => (
        <Card key={group[0]?.workspace.id} title={group[0]?.workspace.name} flush>
          <ul class='rows'>
            {group.map((entry) => (
              <li key={keyOf(entry)} class='inbox-entry' data-entry={keyOf(entry)}>
                {isProposal(entry) && (
                  <input
                    type='checkbox' aria-label={`Select ${titleOf(entry)}`} checked={selected.has(keyOf(entry))}
                    onChange={() => toggle(entry)}
                  />
                )}
                <Heading entry={entry} isCurrent={entry === current} onOpen={() => inbox.open(keyOf(entry))} />
                {entry === current && details && (
                  <details.EntryDetails
                    entry={entry} failure={inbox.failures.get(keyOf(entry))} isGone={inbox.isGone}
                    pending={decision.pending} onAccept={acceptAll} onEdit={edit}
                    onDismiss={askReason} onAnswer={(text) => decide('Answered', (one) => answer(one, text))}
                  />
                )}
              </li>
            ))}
          </ul>
        </Card>
      ))}
      <div ref={foot}><Pagination {...list} noun='entry' plural='entries' total={total} /></div>
      {chosen.length > 0 && (
        <div class='inbox-bar' role='region' aria-label='Selected'>
          <span role='status'>{chosen.length} selected</span>
          <Button variant='primary' pending={decision.pending} onClick={acceptAll}>Accept all</Button>
          <Button onClick={askReason}>Dismiss all</Button>
          <Button variant='ghost' onClick={() => setSelected(new Set())}>Clear</Button>
        </div>
      )}
    </>
  )
}

const focusOn = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus()

const Heading = ({ entry, isCurrent, onOpen }: { entry: Entry, isCurrent: boolean, onOpen: () => void }) => {
  const { kind, item, exploration, at } = entry
  const { label, tone } = KINDS[kind]
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => { if (isCurrent) button.current?.scrollIntoView({ block: 'nearest' }) }, [isCurrent])
  return (
    <button
      ref={button} type='button' aria-current={isCurrent || undefined} onClick={onOpen}
      class={isCurrent ? 'inbox-heading inbox-open' : 'inbox-heading'}
    >
      <span class='inbox-title'><Badge tone={tone}>{label}</Badge> {titleOf(entry)}</span>
      <span class='aside-label'>
        <Time value={at} /> · {exploration.title}{kind === 'question' && item && ` · ${plainText(item.title)}`}
      </span>
    </button>
  )
}

const Nothing = () => (
  <EmptyState
    icon='inbox' title='Nothing needs you'
    action={<LinkButton href='/admin/workspaces' icon='workspace'>Workspaces</LinkButton>}
  >
    What agents propose, finish and ask appears here, with failed gates and claims that have expired. Agents write only
    where an admin of the workspace lets them, on the page Workspaces.
  </EmptyState>
)

/** Nothing is asked of the server that it would refuse. */
const InboxPage = () => {
  const isEditor = useIsEditor()
  if (isEditor === true) return <Inbox />
  return (
    <>
      <PageHeader title='Needs you' />
      <Card>
        {isEditor === undefined
          ? <SkeletonText lines={8} />
          : (
            <EmptyState
              icon='inbox' title='Nothing is yours to decide'
              action={<LinkButton href='/'>Go to the explorations</LinkButton>}
            >
              An editor or admin of a workspace decides what agents propose and ask there. Ask an admin to make you one.
            </EmptyState>
            )}
      </Card>
    </>
  )
}

export default InboxPage
