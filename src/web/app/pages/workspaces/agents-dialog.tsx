/** Decides what agents may do in a workspace. Before they may do more, it says which credentials gain by it. */
import { useState } from 'preact/hooks'
import type { AgentPolicy } from '../../../../planning/agent-policy.js'
import type { WorkspaceRow } from '../../api/answers.js'
import { call } from '../../api/call.js'
import { useOperation } from '../../api/resource.js'
import { Badge, Waiting } from '../../components/states.js'
import { type Choice, RadioCards } from '../../components/choices.js'
import { FormDialog } from '../../components/dialog.js'
import { CellLines } from '../../components/table.js'
import { AGENT_POLICY_LABELS, KIND_LABELS } from '../../lib/words.js'

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

export const AgentsDialog = ({ workspace, onClose }: { workspace: WorkspaceRow, onClose: () => void }) => {
  const { id, name, agents: before } = workspace
  const [agents, setAgents] = useState(before)
  const wider = isWider(agents, before)
  return (
    <FormDialog
      title={`Agents in ${name}`}
      description={'Only credentials with the scope to write, of editors and admins, write at all. A person decides ' +
        'about proposals, and can undo.'}
      confirm={wider ? `Let agents ${agents}` : 'Save'} disabled={agents === before} onClose={onClose}
      work={() => call('PATCH /workspaces/:id', { params: { id }, body: { agents } })}
      changes={['/workspaces']} done='Changed what agents may do.'
    >
      <RadioCards label='What agents may do' choices={CHOICES} value={agents} onChange={setAgents} />
      {wider && <Gains workspace={id} what={before === 'read' ? GAIN_WRITING : GAIN_DONE} />}
      {agents === 'read' && before !== 'read' && (
        <p class='agents-end'>What agents hold there ends at once. Their proposals stay, for a person to decide.</p>
      )}
    </FormDialog>
  )
}

const GAIN_WRITING = 'These gain writing by it'
const GAIN_DONE = 'What these report as done will count at once'

const Gains = ({ workspace, what }: { workspace: string, what: string }) => {
  const { value, error, retry } = useOperation('GET /workspaces/:id/writers', { params: { id: workspace } })
  if (value === undefined) return <Waiting error={error} retry={retry} lines={2} />
  const { writers } = value
  if (writers.length === 0) return <p class='agents-end'>No credential gains by it now.</p>
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
