/** Everything that agents and people write, on an exploration with a plan of three items. */
import type { Backend } from '../../../src/server/backend.js'
import type { Database } from '../../../src/db/sql/database.js'
import { importRecords } from '../../../src/importers/records/import-records.js'
import { tmpdir } from 'node:os'
import { bytesOf } from '../../helpers/planning-data.js'

type Json = Record<string, any> // eslint-disable-line @typescript-eslint/no-explicit-any

interface WritingService {
  db: Database
  backend: Backend
  key: string
  workspace: string
  exploration: string
  /** An editor of the workspace. */
  person: { id: string, email: string }
  ask (key: string, method: string, params?: object): Promise<Json>
  manage (method: 'PATCH', url: string, payload?: object): Promise<Json>
}

export const writing = async (
  { db, backend: { planChanges }, key, workspace, exploration, person, ask, manage }: WritingService
): Promise<void> => {
  const by = { user: person }
  const use = async (name: string, args: object): Promise<Json> =>
    (await ask(key, 'tools/call', { name, arguments: { exploration_id: exploration, ...args } }))['structuredContent']
  const accept = async (...changes: object[]): Promise<void> => {
    const { proposal_id: id } = await use('propose_change', { changes, rationale: 'so' })
    await planChanges.accept(by, id)
  }
  const [plan] = await db.query<Json>('select version, compilation_state, rfc3339(updated_at) as updated_at from execution_plans where exploration_id = $1::uuid', [exploration])
  await manage('PATCH', `/workspaces/${workspace}`, { agents: 'report' })
  await use('claim_item', { idempotency_key: 'k' })
  await use('claim_item', { idempotency_key: 'k' })
  await use('claim_item', { item_id: 'i1' })
  await use('report_progress', { item_id: 'i1', status: 'in_progress', note: 'n', expected_revision: 1 })
  await use('report_progress', { item_id: 'i1', status: 'done', expected_revision: 99 })
  await use('report_progress', { item_id: 'i1', status: 'done' })
  await use('add_note', { text: 'n' })
  const { question_id: question } = await use('ask_question', { question: 'Why?', item_id: 'i2', blocks_item: true })
  await planChanges.answer(by, exploration, question, 'Because.')
  await accept({ kind: 'add_item', group_id: 'g1', title: 'New' }, { kind: 'edit_item', item_id: 'i2', title: 'Other' })
  await accept({ kind: 'add_dependency', item_id: 'i3', depends_on: 'i2' })
  await accept({ kind: 'remove_dependency', item_id: 'i3', depends_on: 'i2' })
  await accept({ kind: 'add_recommendation', title: 'r', body: 'b' })
  await accept({ kind: 'edit_package', artifact_type: 'code', find: (await db.query<{ markdown: string }>("select markdown from requirement_packages where exploration_id = $1::uuid and artifact_type = 'code'", [exploration]))[0]!.markdown.slice(0, 200), replace: 'x' })
  const [first] = (await planChanges.history(exploration, { limit: 50 })).items.filter(({ target }) => target.kind === 'package')
  await planChanges.undo(by, first!.id)
  await planChanges.undo(by, first!.id).catch(() => {})
  for (const page of [{}, { exploration_id: exploration }]) await ask(key, 'tools/call', { name: 'get_changes', arguments: page })
  const { next_cursor: since } = await use('get_changes', { limit: 1 })
  await use('get_changes', { since })
  for (const name of ['get_exploration', 'get_planning_full']) await use(name, {})
  await planChanges.proposals({ limit: 10 })
  await planChanges.proposals({ limit: 10, state: 'open', workspaces: [workspace] })
  const [open] = await planChanges.proposals({ limit: 1, state: 'open' })
  await planChanges.dismiss(by, open!.id, 'no')
  await planChanges.tidy()
  const item = { id: 'i2', group_id: 'g1', title: 'Theirs', status: 'todo', order: 1 }
  const lines = [{
    type: 'execution_plan', exploration_id: exploration, ...plan, groups: [{ id: 'g1', title: 'Group', order: 1 }], items: [item], dependencies: [], gates: [], conflicts: []
  }]
  for (const replace of [false, true]) await importRecords(db, bytesOf(lines), { spoolDir: tmpdir(), replace })
  await manage('PATCH', `/workspaces/${workspace}`, { agents: 'read' })
}
