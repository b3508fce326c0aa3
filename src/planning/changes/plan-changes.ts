/** The one write path: what tools, pages and commands change goes through here. */
import { Refusal } from '../../lib/errors.js'
import { mayWriteAs } from '../agent-policy.js'
import { byAgent, finish, requireAccess } from './by-agent.js'
import { Change } from './change.js'
import type { ChangeReader, InTransaction } from './change-store.js'
import { changesSince } from './changes-since.js'
import type { PersonCall, PlanChanges } from './ports.js'
import { acceptProposal, dismissProposal } from './proposals.js'
import { answerQuestion } from './questions.js'
import { undoRow } from './undo.js'

/** Creates the write path over a database. */
export const createPlanChanges = (
  { inTransaction, reader }: { inTransaction: InTransaction, reader: ChangeReader }
): PlanChanges => {
  /** Runs work of a person, who has to be an editor or admin of the workspace. Returns the ids of its rows, too. */
  const byPerson = async <T>(
    { user, client }: PersonCall, exploration: string | undefined, work: (change: Change) => Promise<T>
  ): Promise<{ made: T, rows: string[] }> => await inTransaction(exploration ?? '', async (store) => {
    const { workspace, access } = await requireAccess(store, { user, client })
    if (!mayWriteAs(access)) {
      throw new Refusal(`${user.email} is a viewer of the workspace ${access.name}: an editor or admin decides.`)
    }
    const change = new Change(store, { user, client }, { exploration: exploration ?? '', workspace, policy: 'report' })
    const made = await work(change)
    return { made, rows: await finish(change) }
  })

  const decide = async (by: PersonCall, id: string, work: (change: Change) => Promise<void>) => {
    const proposal = await reader.proposal(id)
    if (!proposal) throw new Refusal(`There is no proposal ${JSON.stringify(id.slice(0, 100))}.`, 'not_found')
    await byPerson(by, proposal.exploration_id, work)
    return await reader.proposal(id) ?? proposal
  }

  return {
    byAgent: byAgent(inTransaction),
    since: (principal, request) => changesSince(reader, principal, request),
    accept: (by, id) => decide(by, id, (change) => acceptProposal(change, id)),
    dismiss: (by, id, reason) => decide(by, id, (change) => dismissProposal(change, id, reason)),
    answer: async (by, exploration, id, text) =>
      (await byPerson(by, exploration, (change) => answerQuestion(change, id, text))).made,

    async undo (by, id) {
      const row = await reader.historyRow(id)
      if (!row) throw new Refusal(`There is no row ${JSON.stringify(id.slice(0, 100))} in the history.`, 'not_found')
      const { rows: [made = ''] } = await byPerson(by, row.exploration_id, (change) => undoRow(change, row))
      const undone = await reader.historyRow(made)
      if (!undone) throw new Error('the history has lost a row')
      const { exploration_id: _, ...shown } = undone
      return shown
    },

    history: (exploration, page) => reader.history(exploration, page),
    proposals: (filter) => reader.proposals(filter),
    tidy: () => reader.tidy()
  }
}
