/** What the tables of keys, tokens and connected applications share. */
import type { Scope } from '../../../lib/principal.js'
import { Badge, type BadgeTone } from '../components/states.js'
import type { Column } from '../components/table.js'
import { Time } from '../components/time.js'
import { SCOPE_LABELS } from '../lib/words.js'

const TONES: Record<Scope, BadgeTone> = { read: 'neutral', read_write: 'info', admin: 'accent' }

export const ScopeBadge = ({ scope }: { scope: Scope }) => <Badge tone={TONES[scope]}>{SCOPE_LABELS[scope]}</Badge>

export const WORKSPACES: Column<{ workspaces: ReadonlyArray<{ name: string }> | null }> = {
  header: 'Workspaces',
  hideBelow: 54,
  cell: ({ workspaces }) => {
    if (workspaces === null) return 'All'
    const [first, ...others] = workspaces
    return first && others.length > 1
      ? `${first.name} and ${others.length} more`
      : workspaces.map(({ name }) => name).join(', ') || 'none'
  }
}

export const LAST_USED: Column<{ last_used_at: string | null, last_used_from: string | null }> = {
  header: 'Last used',
  order: ({ last_used_at: at }) => at ?? '',
  hideBelow: 40,
  cell: ({ last_used_at: at, last_used_from: from }) => (
    <div class='cell-lines'>
      <Time value={at} />{from !== null && <span class='cell-note cell-whole'>from {from}</span>}
    </div>
  )
}
