/** All importers, in order: a file that one has taken is not offered to the next. */
import { adr } from './adr/mapping.js'
import { agentOs } from './agent-os/mapping.js'
import { backlogMd } from './backlog-md/mapping.js'
import { beads } from './beads/mapping.js'
import { bmad } from './bmad/mapping.js'
import { checklist } from './checklist/mapping.js'
import { github } from './github/mapping.js'
import { jiraCsv } from './jira-csv/mapping.js'
import { kiro } from './kiro/mapping.js'
import { linearCsv } from './linear-csv/mapping.js'
import { openSpec } from './openspec/mapping.js'
import { rfc } from './rfc/mapping.js'
import { specKit } from './spec-kit/mapping.js'
import { taskMaster } from './task-master/mapping.js'
import { trello } from './trello/mapping.js'
import type { Importer } from './types.js'

export const IMPORTERS: readonly Importer[] = [
  openSpec,
  kiro,
  agentOs,
  bmad,
  beads,
  specKit,
  backlogMd,
  taskMaster,
  adr,
  rfc,
  jiraCsv,
  linearCsv,
  github,
  trello,
  // The last: it takes what no other format reads.
  checklist
]
