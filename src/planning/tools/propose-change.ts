/** Proposes changes of what others wrote, for a person to decide. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/propose_change.input.json' with { type: 'json' }
import output from '#schemas/tools/propose_change.output.json' with { type: 'json' }
import { proposeChange } from '../changes/proposals.js'
import { writingTool } from './writing-tool.js'

export const proposeChangeTool = writingTool<FromSchema<typeof input>>({
  name: 'propose_change',
  title: 'Propose a change',
  description: 'Proposes changes, for a person to decide. find stands once in the package.',
  input,
  output
}, proposeChange, ({ proposal_id: id }) => `Proposed as ${String(id)}: a person decides. get_changes tells.`)
