/** What is done with workspaces: made and renamed, archived, joined, and what agents may do there. */
import { useState } from 'preact/hooks'
import type { AgentPolicy } from '../../../../planning/agent-policy.js'
import type { WorkspaceRow } from '../../api/answers.js'
import { call } from '../../api/call.js'
import { useOperation } from '../../api/resource.js'
import { RadioCards, type Choice } from '../../components/choices.js'
import { ConfirmDialog, FormDialog } from '../../components/dialog.js'
import { TextField } from '../../components/fields.js'
import { Badge, Waiting } from '../../components/states.js'
import { CellLines } from '../../components/table.js'
import { countOf } from '../../lib/format.js'
import { useSessionState } from '../../lib/session.js'
import { AGENT_POLICY_LABELS, KIND_LABELS } from '../../lib/words.js'
import { setMembership } from '../people/roles.js'

/** `Über Payments!` → `uber-payments`; at most 63 characters. */
const slugOf = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    .replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '').slice(0, 63).replace(/-+$/, '')

export const WorkspaceDialog = ({ workspace }: { workspace?: WorkspaceRow }) => {
  const [name, setName] = useState(workspace?.name ?? '')
  const [slug, setSlug] = useState<string>()
  const [description, setDescription] = useState(workspace?.description ?? '')
  const shownSlug = slug ?? slugOf(name)
  const complete = name.trim() !== '' && (workspace !== undefined || shownSlug !== '')
  const save = (): Promise<unknown> => {
    const texts = {
      name: name.trim(),
      ...(description.trim() !== '' || workspace?.description !== undefined) && { description: description.trim() }
    }
    return workspace
      ? call('PATCH /workspaces/:id', { params: { id: workspace.id }, body: texts })
      : call('POST /workspaces', { body: { ...texts, slug: shownSlug } })
  }
  return (
    <FormDialog
      title={workspace ? `Rename ${workspace.name}` : 'Create a workspace'}
      confirm={workspace ? 'Save' : 'Create workspace'} disabled={!complete}
      work={save} changes={['/workspaces', '/session']} done={workspace ? 'Workspace changed.' : 'Workspace created.'}
    >
      <TextField label='Name' value={name} onInput={setName} required maxLength={200} placeholder='Payments' />
      {!workspace && (
        <TextField
          label='Slug' value={shownSlug} onInput={setSlug} required maxLength={63} code spellcheck={false}
          hint='In addresses and commands; it does not change later.'
        />
      )}
      <TextField
        label='Description' value={description} onInput={setDescription} maxLength={2000}
        hint='Optional; agents read it to choose the right workspace.'
      />
    </FormDialog>
  )
}

export const ArchiveDialog = (
  { workspace: { id, name, archived_at: at } }: { workspace: WorkspaceRow }
) => {
  const active = at === null
  return (
    <ConfirmDialog
      title={`${active ? 'Archive' : 'Restore'} ${name}?`} confirm={active ? 'Archive' : 'Restore'} danger={active}
      description={active
        ? 'Its explorations leave all lists and searches, of people and of agents. Nothing is deleted; you can ' +
          'restore it.'
        : 'Its explorations come back into lists and searches.'}
      work={() => call('PATCH /workspaces/:id', { params: { id }, body: { archived: active } })}
      changes={['/workspaces', '/explorations']} done={active ? 'Workspace archived.' : 'Workspace restored.'}
    />
  )
}

type Joinable = Pick<WorkspaceRow, 'id' | 'name' | 'exploration_count'>

/** Makes a server administrator a member of workspaces; says first what follows from it. */
export const JoinDialog = ({ workspaces }: { workspaces: readonly Joinable[] }) => {
  const session = useSessionState()?.session
  const [first] = workspaces
  const what = workspaces.length === 1 && first ? first.name : countOf(workspaces.length, 'workspace')
  const explorations = workspaces.reduce((sum, { exploration_count: count }) => sum + count, 0)
  const join = async (): Promise<void> => {
    for (const { id } of workspaces) await setMembership(session?.user.id ?? '', id, 'admin')
  }
  return (
    <ConfirmDialog
      title={`Join ${what}?`} confirm='Join' danger={false} done={`Joined ${what}.`}
      work={join} changes={['/workspaces', '/explorations', '/tags', '/session']}
      description={`You become an admin there. You see ${countOf(explorations, 'exploration')} more, and so does ` +
        'each key, token and application of yours that is not limited to other workspaces, from its next call. The ' +
        'audit log records it.'}
    />
  )
}

const CHOICES: ReadonlyArray<Choice<AgentPolicy>> = [
  { value: 'read', label: AGENT_POLICY_LABELS.read, description: 'Agents read, and change nothing.' },
  {
    value: 'propose',
    label: AGENT_POLICY_LABELS.propose,
    description: 'Agents claim items, report progress, note and ask. An item is done, and a text changes, once a ' +
      'person accepts it.'
  },
  {
    value: 'report',
    label: AGENT_POLICY_LABELS.report,
    description: 'The same, and an item that an agent reports as done with evidence is done at once.'
  }
]
const isWider = (after: AgentPolicy, before: AgentPolicy): boolean => {
  const order = CHOICES.map(({ value }) => value)
  return order.indexOf(after) > order.indexOf(before)
}

export const AgentsDialog = ({ workspace }: { workspace: WorkspaceRow }) => {
  const { id, name, agents: before } = workspace
  const [agents, setAgents] = useState(before)
  const wider = isWider(agents, before)
  return (
    <FormDialog
      title={`Agents in ${name}`}
      description={'Only credentials with the scope to write, of editors and admins, write at all. A person decides ' +
        'about proposals, and can undo.'}
      confirm={wider ? `Let agents ${agents}` : 'Save'} disabled={agents === before}
      work={() => call('PATCH /workspaces/:id', { params: { id }, body: { agents } })}
      changes={['/workspaces']} done='Changed what agents may do.'
    >
      <RadioCards label='What agents may do' choices={CHOICES} value={agents} onChange={setAgents} />
      {wider && <Gains workspace={id} what={before === 'read' ? GAIN_WRITING : GAIN_DONE} />}
      {agents === 'read' && before !== 'read' && (
        <p class='quiet'>What agents hold there ends at once. Their proposals stay, for a person to decide.</p>
      )}
    </FormDialog>
  )
}

const GAIN_WRITING = 'These gain writing by it'
const GAIN_DONE = 'What these report as done will count at once'

const Gains = ({ workspace, what }: { workspace: string, what: string }) => {
  const { value, ...loading } = useOperation('GET /workspaces/:id/writers', { params: { id: workspace } })
  if (value === undefined) return <Waiting {...loading} lines={2} />
  const { writers } = value
  if (writers.length === 0) return <p class='quiet'>No credential gains by it now.</p>
  return (
    <section class='agents-gains' aria-label={what}>
      <span class='field-label'>{`${what} (${writers.length})`}</span>
      <ul>
        {writers.map(({ id, kind, name, owner }) => (
          <li key={id}><CellLines title={<>{name} <Badge>{KIND_LABELS[kind]}</Badge></>}>{owner}</CellLines></li>
        ))}
      </ul>
    </section>
  )
}
