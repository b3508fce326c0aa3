/** What can be done with an item, a group, a gate or a conflict of a plan, beside its details. */
import { Button } from '../components/button.js'
import { Menu } from '../components/menu.js'
import type { PlanSubject } from '../plan/plan-model.js'
import { CopyLink, CopyPrompt } from './copy-for.js'
import { useOpenForm } from './editing.js'
import { useChange } from './use-change.js'

interface PlanActionsProps { exploration: string, subject: PlanSubject, mayEdit: boolean }

const GATE_ACTIONS = Object.entries({ passed: 'Mark as passed', failed: 'Mark as failed', open: 'Open again' })

export const PlanActions = ({ exploration, subject: { item, group, gate, conflict }, mayEdit }: PlanActionsProps) => {
  const open = useOpenForm()
  const { run, pending } = useChange(exploration)
  return (
    <div class='form-actions'>
      {mayEdit && item && (
        <>
          <Button size='s' icon='edit' onClick={() => open('item', item.id)}>Edit</Button>
          <Button size='s' onClick={() => open('state', item.id)}>State and note</Button>
          <Menu
            label='More for this item'
            items={[
              { label: 'Move', onSelect: () => open('move', item.id) },
              { label: 'What it waits for', onSelect: () => open('depends', item.id) },
              { label: 'Ask a question', onSelect: () => open('ask', item.id) },
              { label: 'Add an item to its group', onSelect: () => open('add', item.group.id) }
            ]}
          />
        </>
      )}
      {item && (
        <>
          <CopyLink path={`/explorations/${exploration}/plan?item=${encodeURIComponent(item.id)}`} of='this item' />
          <CopyPrompt exploration={exploration} item={item.id} />
        </>
      )}
      {mayEdit && group?.id !== undefined && (
        <Button size='s' icon='plus' onClick={() => open('add', group.id)}>Add an item</Button>
      )}
      {mayEdit && gate && GATE_ACTIONS.filter(([status]) => status !== gate.status).map(([status, label]) => (
        <Button
          key={status} size='s' pending={pending} onClick={() => run({ kind: 'set_gate', gate_id: gate.id, status })}
        >
          {label}
        </Button>
      ))}
      {mayEdit && conflict?.status === 'open' && (
        <Button size='s' onClick={() => open('resolve', conflict.id)}>Resolve</Button>
      )}
    </div>
  )
}
