/** Claims an item of a plan for the caller's credential, for a while. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/claim_item.input.json' with { type: 'json' }
import output from '#schemas/tools/claim_item.output.json' with { type: 'json' }
import { claim } from '../changes/items.js'
import type { Answer } from '../changes/change-store.js'
import { claimedItem, itemLine } from './item-text.js'
import { writingTool } from './writing-tool.js'

export const claimItem = writingTool<FromSchema<typeof input>>({
  name: 'claim_item',
  title: 'Claim an item',
  description: 'Holds an item for you, or longer, and says what to know. Work on what you hold.',
  input,
  output
}, claim, describe)

function describe ({ claimed, item, lease, briefing, reason, current }: Answer): string {
  if (!claimed) {
    if (reason === 'nothing_ready') return 'Nothing can start now.'
    return `Not claimed: ${String(reason)}.\n${itemLine(current)}`
  }
  const until = typeof lease === 'object' && lease !== null && 'expires_at' in lease ? String(lease.expires_at) : ''
  return [`Claimed until ${until}.`, claimedItem(item), String(briefing)].join('\n')
}
