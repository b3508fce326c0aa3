/** Everything that agents and people write, on an exploration with a plan of three items. */
import { randomUUID } from 'node:crypto'
import type { Backend } from '../../../src/server/backend.js'
import type { Database } from '../../../src/db/sql/database.js'
import { importRecords } from '../../../src/importers/records/import-records.js'
import { changedHere, markWritten } from '../../../src/importers/sync/changed-here.js'
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
  { db, backend: { planChanges, api }, key, workspace, exploration, person, ask, manage }: WritingService
): Promise<void> => {
  const by = { user: person }
  const use = async (name: string, args: object): Promise<Json> =>
    (await ask(key, 'tools/call', { name, arguments: { exploration_id: exploration, ...args } }))['structuredContent']
  const accept = async (...changes: object[]): Promise<Json> => {
    const { proposal_id: id } = await use('propose_change', { changes, rationale: 'so' })
    return (await planChanges.accept(by, id)).changes[0]!
  }
  const read = async (statement: string): Promise<Json[]> => await db.query<Json>(statement, [exploration])
  const [plan] = await read('select version, compilation_state, rfc3339(updated_at) as updated_at from execution_plans where exploration_id = $1::uuid')
  const groups = await read('select id, title, "order" from plan_groups where exploration_id = $1::uuid')
  const items = await read('select id, group_id, title, status, "order" from plan_items where exploration_id = $1::uuid')
  const dependencies = await read('select item_id, depends_on, kind from plan_dependencies where exploration_id = $1::uuid')
  const [code] = await read("select markdown from requirement_packages where exploration_id = $1::uuid and artifact_type = 'code'")

  await manage('PATCH', `/workspaces/${workspace}`, { agents: 'report' })
  const { item: { id: item, group_id: group } } = await use('claim_item', { idempotency_key: 'k' })
  await use('claim_item', { idempotency_key: 'k' })
  await use('report_progress', { item_id: item, status: 'in_progress', note: 'n' })
  await use('report_progress', { item_id: item, status: 'done', expected_revision: 99 })
  await use('add_note', { text: 'n' })
  const { question_id: question } = await use('ask_question', { question: 'Why?', item_id: item, blocks_item: true })
  await planChanges.answer(by, exploration, question, 'Because.')
  const { item_id: added } = await accept({ kind: 'add_item', group_id: group, title: 'New' })
  await accept({ kind: 'edit_item', item_id: added, title: 'Other' })
  await accept({ kind: 'add_dependency', item_id: added, depends_on: item })
  await use('claim_item', { item_id: added })
  await use('report_progress', { item_id: item, status: 'done', evidence: [{ kind: 'url', ref: 'x' }] })
  await accept({ kind: 'remove_dependency', item_id: added, depends_on: item })
  await accept({ kind: 'add_recommendation', title: 'r', body: 'b' })
  await accept({ kind: 'edit_package', artifact_type: 'code', find: code!['markdown'], replace: 'x' })
  const rows = (await planChanges.history(exploration, { limit: 50 })).items
  const ofPackage = rows.find(({ target }) => target.kind === 'package')!
  await planChanges.undo(by, ofPackage.id)
  await planChanges.undo(by, ofPackage.id).catch(() => {})
  for (const page of [{}, { exploration_id: exploration }]) await ask(key, 'tools/call', { name: 'get_changes', arguments: page })
  const { next_cursor: since } = await use('get_changes', { limit: 1 })
  await use('get_changes', { since })
  for (const name of ['get_exploration', 'get_planning_full']) await use(name, {})
  const { next_cursor: cursor } = await planChanges.proposals({ limit: 1 })
  await planChanges.proposals({ limit: 10, cursor })
  await planChanges.proposals({ limit: 10, state: 'open', workspaces: [workspace] })
  await use('claim_item', { item_id: added })
  await use('report_progress', { item_id: added, status: 'done' })
  const { items: [open] } = await planChanges.proposals({ limit: 1, state: 'open' })
  await planChanges.dismiss(by, open!.id, 'no')
  await planChanges.tidy()
  const lines = [{
    type: 'execution_plan', exploration_id: exploration, ...plan, groups, items, dependencies, gates: [], conflicts: []
  }]
  for (const over of ['propose', 'replace'] as const) await importRecords(db, bytesOf(lines), { spoolDir: tmpdir(), over })
  for (const since of [undefined, '2026-01-01T00:00:00Z']) await changedHere(db, { workspace, source: 'github.com/o/r', since, exploration })
  await markWritten(db, [{ exploration, item, says: 'done' }])
  const [answered] = await read(`select 'exploration' as type, id, workspace_id, title, status, tags, summaries, questions,
    rfc3339(created_at) as created_at, rfc3339(updated_at) as updated_at from explorations where id = $1::uuid`)
  // As if the question had come from a file.
  await read('update questions set changed_here = true where exploration_id = $1::uuid')
  await importRecords(db, bytesOf([answered!]), { spoolDir: tmpdir(), over: 'propose' })

  const { revision } = (await planChanges.record(exploration, 'exploration', exploration))!
  await planChanges.make(by, exploration, [{ kind: 'edit_exploration', title: randomUUID() }], revision!)
  await planChanges.make(by, exploration, [{ kind: 'write_package', artifact_type: `t${randomUUID()}`, markdown: 'x' }])
  await planChanges.history(exploration, { limit: 10, item: added })
  await planChanges.proposalsOf([open!.id])
  await planChanges.create(by, { workspace, title: 'New', package: { artifact_type: 'design', markdown: 'x' } })
  const first = await api.inbox.list({ workspaces: [workspace], limit: 1 })
  await api.inbox.list({ workspaces: [workspace], limit: 1, cursor: first.next_cursor })
  await api.inbox.list({ workspaces: [workspace], limit: 1, proposal: open!.id })
  await api.inbox.counts([workspace])
  await api.work.versions(exploration, 'code')
  await api.work.version(exploration, 'code', 1)
  await api.work.held(exploration)
  for (const user of [undefined, person.id]) await api.work.activity(exploration, workspace, user)
  await api.work.revision(exploration)
  await api.work.recommendations(exploration)
  await api.work.itemQuestions(exploration)
  await planChanges.record(exploration, 'group', group)
  await manage('PATCH', `/workspaces/${workspace}`, { agents: 'read' })
}
