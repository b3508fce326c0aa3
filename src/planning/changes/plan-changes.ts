/** The one write path: what tools, pages and commands change goes through here. */
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../lib/errors.js'
import type { UserPrincipal } from '../../lib/principal.js'
import { mayWriteAs } from '../agent-policy.js'
import { byAgent, finish, requireAccess, type ToEvent } from './by-agent.js'
import { Change } from './change.js'
import { applyChange, baseOf, requireMembers, requireRead, shownRecord } from './change-kinds.js'
import type { ChangeReader, InTransaction } from './change-store.js'
import type { AuditWithin, ChangesRequest, NewExploration, PersonCall } from './ports.js'
import { acceptProposal, dismissProposal } from './proposals.js'
import { answerQuestion } from './questions.js'
import type { ChangeNote, HistoryRow, ProposedChange, RecordKind, ShownRecord, State } from './records.js'
import { undoRow } from './undo.js'

const UNRECORDED: AuditWithin = (work) => work(() => undefined)

interface Options { inTransaction: InTransaction, reader: ChangeReader, toEvent: ToEvent }

export type PlanChanges = ReturnType<typeof createPlanChanges>

/**
 * Creates the write path over a database. The `rows` of a decision are the ids of what it wrote in the history: undone,
 * the last one first, all is as before.
 */
export const createPlanChanges = ({ inTransaction, reader, toEvent }: Options) => {
  /** Runs work of a person, who has to be an editor or admin of the workspace. Returns the ids of its rows, too. */
  const byPerson = async <T>(
    { user, client, auditWithin = UNRECORDED }: PersonCall, exploration: string,
    work: (change: Change) => Promise<T>, newIn?: string
  ): Promise<{ made: T, rows: string[] }> => auditWithin((eventOf) => inTransaction(exploration, async (store) => {
    const { workspace, access } = await requireAccess(store, { user, client }, newIn)
    if (!mayWriteAs(access)) {
      throw new Refusal(`${user.email} is a viewer of the workspace ${access.name}: an editor or admin decides.`)
    }
    const change = new Change(store, { user, client }, { exploration, workspace, policy: 'report' })
    const made = await work(change)
    const rows = await finish(change)
    const event = eventOf()
    if (event) await store.writeAudit(event)
    return { made, rows }
  }))

  const decide = async (by: PersonCall, id: string, work: (change: Change) => Promise<void>) => {
    const [proposal] = await reader.proposalsOf([id])
    if (!proposal) throw new Refusal(`There is no proposal ${JSON.stringify(id.slice(0, 100))}.`, 'not_found')
    const made = await rowsOf((await byPerson(by, proposal.exploration_id, work)).rows)
    // Others that this has overtaken stay so when it is undone.
    const decision = made.filter(({ target }) => target.kind === 'proposal' && target.id === id)
    const changes = made.filter(({ target }) => target.kind !== 'proposal')
    const decided = (await reader.proposalsOf([id]))[0] ?? proposal
    return { ...decided, rows: [...decision, ...changes].map((row) => row.id) }
  }

  const rowsOf = async (ids: readonly string[]): Promise<HistoryRow[]> =>
    (await reader.historyRows(ids)).map(({ exploration_id: _, ...row }) => row)

  return {
    ...reader,
    byAgent: byAgent(inTransaction, toEvent),
    since: (principal: UserPrincipal, request: ChangesRequest) => changesSince(reader, principal, request),
    /** Accepts an open proposal, or the person's version. @throws {Refusal} when they may not, or it is decided */
    accept: (by: PersonCall, id: string, version?: readonly ProposedChange[]) =>
      decide(by, id, (change) => acceptProposal(change, id, version)),
    /** Dismisses an open proposal. @throws as `accept` */
    dismiss: (by: PersonCall, id: string, reason: string) =>
      decide(by, id, (change) => dismissProposal(change, id, reason)),
    /** Answers an open question. @throws {Refusal} when they may not, it is answered, or there is no such question */
    async answer (
      by: PersonCall, exploration: string, id: string, text: string
    ): Promise<State & { rows: string[] }> {
      const { made, rows } = await byPerson(by, exploration, (change) => answerQuestion(change, id, text, false))
      const own = (await rowsOf(rows)).filter(({ target }) => target.kind !== 'proposal')
      return { ...made, rows: own.map((row) => row.id) }
    },

    /**
     * Makes changes in the name of a person, all or none. `revision`: of the record in which they replace something.
     * Returns the rows of the history, and the version of the plan where there is one.
     * @throws {Refusal} `unread` or `stale` when the person has not read what would be replaced
     */
    async make (
      by: PersonCall, exploration: string, given: readonly ProposedChange[], revision?: number
    ): Promise<{ rows: HistoryRow[], version?: number }> {
      const changes = given.map(requireMembers)
      const { made, rows } = await byPerson(by, exploration, async (change) => {
        await requireRead(change, changes, revision)
        for (const one of changes) {
          await baseOf(change, one)
          await applyChange(change, one, change.author)
        }
        return await change.planVersion()
      })
      return { rows: await rowsOf(rows), ...(made > 0 && { version: made }) }
    },

    async create (by: PersonCall, { workspace, title, package: given }: NewExploration) {
      const id = randomUUID()
      await byPerson(by, id, async (change) => {
        const now = new Date().toISOString()
        await change.set('exploration', id, {
          workspace_id: workspace,
          title,
          status: 'draft',
          tags: [],
          summaries: [],
          questions: [],
          created_at: now,
          updated_at: now,
          revision: 1
        })
        if (!given) return
        const made = requireMembers({ kind: 'write_package', ...given })
        await baseOf(change, made)
        await applyChange(change, made, change.author)
      }, workspace)
      return id
    },

    /** Undoes one row. @throws {Refusal} when they may not, or it was overwritten, and then it names the later row */
    async undo (by: PersonCall, id: string) {
      const [row] = await reader.historyRows([id])
      if (!row) throw new Refusal(`There is no row ${JSON.stringify(id.slice(0, 100))} in the history.`, 'not_found')
      const { rows } = await byPerson(by, row.exploration_id, (change) => undoRow(change, row))
      const [undone] = await rowsOf(rows.slice(0, 1))
      if (!undone) throw new Error('the history has lost a row')
      return undone
    },

    async record (exploration: string, kind: RecordKind, id: string): Promise<ShownRecord | undefined> {
      const state = await reader.record(exploration, kind, id)
      return state && shownRecord(kind, id, state)
    }
  }
}

/** Of the JSON of a result of get_changes without the cursor, in UTF-16 code units. */
const MAX_CHARS = 5_700

/** The changes of the workspaces where the caller may write, oldest first. */
const changesSince = async (
  reader: ChangeReader, { rules }: UserPrincipal, { exploration, since, limit }: ChangesRequest
): Promise<{ changes: ChangeNote[], next_cursor: string }> => {
  const workspaces = [...rules ?? []].filter(([, rule]) => rule.agents !== 'read' && mayWriteAs(rule)).map(([id]) => id)
  const { events, cursor } = await reader.events({ workspaces, exploration, since, limit })
  const changes: ChangeNote[] = []
  let size = 0
  let next = cursor
  for (const { note, after } of events) {
    size += JSON.stringify(note).length + 1
    if (size > MAX_CHARS && changes.length > 0) break
    changes.push(note)
    next = after
  }
  return { changes, next_cursor: next }
}
