/** Reports the status of an item, with a note and evidence. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/report_progress.input.json' with { type: 'json' }
import output from '#schemas/tools/report_progress.output.json' with { type: 'json' }
import { report } from '../changes/items.js'
import type { Answer } from '../changes/change-store.js'
import { quoteText } from './escape-text.js'
import { byText, itemLine } from './item-text.js'
import type { Context } from './planning-tool.js'
import { writingTool } from './writing-tool.js'

export const reportProgress = writingTool<FromSchema<typeof input>>({
  name: 'report_progress',
  title: 'Report on an item',
  description: 'Sets the status of an item that you hold. done needs evidence; where a person decides, it is proposed.',
  input,
  output
}, report, describe)

function describe (
  { written, proposed, proposal_id: proposal, item, plan_version: version, ...rest }: Answer,
  { exploration_id: exploration, item_id: id, status }: FromSchema<typeof input>, { placeOf }: Context
): string {
  if (proposed) return `Finished: it waits for a person, as proposal ${String(proposal)}.`
  if (written) {
    const place = placeOf?.(exploration, id, status)
    return `Written: the plan is version ${String(version)}.\n${itemLine(item)}` +
      (place === undefined ? '' : `\nIts file says so too, do not edit it there: ${quoteText(place)}`)
  }
  return `Not written: ${rest['reason'] === 'held' ? 'another one holds it' : 'it has changed since'}` +
    `${byText(rest['changed_by'])}, ${String(rest['changed_at'] ?? '')}.\n${itemLine(rest['current'])}`
}
