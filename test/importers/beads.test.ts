// beads: epics, issues, dependencies, and what is no work.
import t from 'tap'
import { commandLine } from '../helpers/command-line.js'
import { imported, planOf } from './imported.js'

const link = (id: string, type: string) => ({ issue_id: 'x', depends_on_id: id, type, created_at: '2026-01-02T03:04:05Z' })
const lines = (issues: object[]) => issues.map((issue) => `${JSON.stringify(issue)}\n`).join('')

const ISSUES = lines([
  { id: 'sh-1', title: 'Cards', issue_type: 'epic', status: 'open', priority: 1, description: 'Pay by card.', acceptance_criteria: 'It pays.' },
  { id: 'sh-1.2', title: 'Refund', issue_type: 'feature', status: 'blocked', dependencies: [link('sh-1', 'parent-child'), link('sh-1.1', 'blocks'), link('sh-4', 'blocks')] },
  {
    id: 'sh-1.1',
    title: 'Charge',
    issue_type: 'task',
    status: 'closed',
    close_reason: 'Done',
    priority: 2,
    labels: ['web', 'api'],
    design: 'By the bank.',
    acceptance_criteria: '- [x] It charges\n- It says so',
    dependencies: [link('sh-1', 'parent-child')],
    created_at: '2026-01-02T03:04:05+02:00'
  },
  { id: 'sh-1.1.1', title: 'Log it', status: 'hooked', dependencies: [link('sh-1.1', 'related')] },
  { id: 'sh-2', title: 'Old shop', issue_type: 'epic', status: 'closed', dependencies: [link('sh-7', 'blocks')] },
  { id: 'sh-7', title: 'A part', issue_type: 'task', status: 'open' },
  { id: 'sh-4', title: 'Typo', issue_type: 'bug', status: 'open', dependencies: [link('sh-3', 'blocks'), link('sh-1', 'discovered-from')] },
  { id: 'sh-5', title: 'Twice', issue_type: 'task', status: 'closed', close_reason: 'Duplicate of sh-4' },
  { id: 'sh-6', title: 'Later', issue_type: 'task', status: 'deferred' },
  { id: 'sh-3', title: 'Gone', status: 'tombstone' },
  { id: 'sh-w', title: 'A worker', issue_type: 'agent', status: 'open' }
])

t.test('an epic is an exploration', async (t) => {
  const { all, of, problems, notes } = await imported(t, { '.beads': { 'issues.jsonl': `${ISSUES}\n<<<<<<< ours\n` } })
  t.strictSame(all.map(({ path, exploration }) => `${path} ${exploration.status}`), [
    '.beads/issues.jsonl#sh-1 ready', '.beads/issues.jsonl#sh-2 delivered', '.beads/issues.jsonl ready'
  ])
  const cards = of('.beads/issues.jsonl#sh-1')
  t.match(cards.exploration, { title: 'Cards', tags: ['beads', 'sh-1'], summaries: [{ text: /^Priority: 1\n\nPay by card\.[^]*It pays/ }] })
  t.strictSame(planOf(cards), [
    'sh-1.1 done sh-1.1 Charge: Charge [x] It charges [ ] It says so',
    'sh-1.1.1 in_progress sh-1.1 Charge: Log it ~ sh-1.1',
    'sh-1.2 blocked Issues: Refund ← sh-1.1'
  ])
  t.match(cards.plan?.items[0]?.description, 'Priority: 2. Labels: web, api\n\ndesign:\n\nBy the bank.')
  t.match(cards.plan?.items[2]?.description, /^Waits for sh-4 "Typo"\.$/, 'an issue of another exploration')
  t.strictSame(planOf(of('.beads/issues.jsonl#sh-2')), ['sh-7 todo Issues: A part'], 'an epic waits for its parts')
  const others = of('.beads/issues.jsonl')
  t.strictSame(planOf(others), ['sh-4 todo Issues: Typo', 'sh-5 todo Issues: Twice', 'sh-6 todo Issues: Later'])
  t.match(others.plan?.items[1]?.description, /^Closed in the source: Duplicate of sh-4\. It is not to be done\.$/)
  t.match(problems, [/issues\.jsonl:13: left out: the line is no issue/, /sh-4 depends on sh-3, which is not here/])
  t.match(notes, [/left out: 2 lines of deleted issues/])
})

t.test('issues without an epic are one exploration, also when the file is named', async (t) => {
  const cli = commandLine(t)
  const folder = t.testdir({ '.beads': { 'issues.jsonl': lines([{ id: 'a-1', title: 'One', status: 'in_progress' }]), 'beads.jsonl': '' } })
  for (const path of [folder, `${folder}/.beads/issues.jsonl`]) {
    const { code, out } = await cli.run(['import', path, '--dry-run', '--json'])
    t.match({ code, ...JSON.parse(out) }, {
      code: 0, explorations: [{ format: 'beads', path: '.beads/issues.jsonl', items: 1 }], not_read: []
    }, path)
  }
})
