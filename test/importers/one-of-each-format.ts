/** A small source of each format that the importers read, as tap's `testdir` takes it. `path` inside it is what is imported. */
import type { Test } from 'tap'

const CHANGE = {
  'proposal.md': '## Why\nIt is slow.\n\n## Open Questions\n- How long?\n',
  'tasks.md': '## 1. Do\n\n- [x] 1.1 First\n- [ ] 1.2 Second\n\n## 2. Test\n- [ ] 2.1 Third\n'
}
const TASK = '---\nid: BACK-2\ntitle: Two\nstatus: To Do\ncreated_date: \'2026-05-06 07:08\'\ndependencies: [BACK-1]\n---\n\n## Description\n\nText\n'

export const ONE_OF_EACH_FORMAT: ReadonlyArray<{ files: NonNullable<Parameters<Test['testdir']>[0]>, path?: string }> = [
  {
    files: {
      specs: {
        '001-pay': {
          'spec.md': '# Feature Specification: Pay\n\n- **FR-001**: It pays [NEEDS CLARIFICATION: how?]\n',
          'tasks.md': '## Phase 1: One\n\n- [x] T001 First\n- [ ] T002 Second (depends on T001)\n\n**Checkpoint**: It pays\n'
        }
      },
      openspec: { changes: { 'add-cache': CHANGE } },
      '.kiro': { specs: { albums: { 'requirements.md': '# Albums\n', 'tasks.md': '- [x] 1. Set up\n- [ ] 2. Build\n' } } },
      backlog: {
        'config.yml': 'project_name: "Shop"\nstatuses: ["To Do", "Done"]\n',
        tasks: { 'back-1 - One.md': TASK.replaceAll('BACK-2', 'BACK-1').replace('Two', 'One').replace('[BACK-1]', '[]'), 'back-2 - Two.md': TASK }
      },
      '.taskmaster': {
        tasks: { 'tasks.json': JSON.stringify({ tasks: [{ id: 1, title: 'One', status: 'done' }, { id: 2, title: 'Two', status: 'pending', dependencies: [1] }] }) }
      },
      '.agent-os': { specs: { '2026-01-02-albums': { 'spec.md': '# Spec Requirements Document\n\n> Spec: Photo albums\n', 'tasks.md': '# Spec Tasks\n\n## Tasks\n\n- [x] 1. Store\n  - [x] 1.1 Table\n- [ ] 2. Show\n' } } },
      '_bmad-output': { 'implementation-artifacts': { '1-1-card.md': '# Story 1.1: Card\n\nStatus: review\n\n## Acceptance Criteria\n\n1. It pays\n\n## Tasks\n\n- [x] Charge (AC: 1)\n- [ ] Receipt\n' } },
      'PLAN.md': '# Ship it\n\n## Now\n\n- [x] First\n- [ ] Second\n',
      docs: { adr: { '0001-record.md': '# 1. Record decisions\n\nDate: 2026-02-12\n\n## Status\n\nAccepted\n\n## Context\n\nThere are some.\n' } },
      rfcs: { '0001-new-thing.md': '- Start Date: 2026-02-03\n\n# Summary\n\nShort.\n\n# Unresolved questions\n\n## How fast?\n\nMaybe.\n' }
    }
  },
  {
    files: { 'linear.csv': 'ID,Team,Title,Description,Status,Project,Cycle Name,Blocked by\nLIN-1,Web,One,Text,Done,Shop,Cycle 1,\nLIN-2,Web,Two,,Backlog,Shop,Cycle 1,LIN-1\n' },
    path: 'linear.csv'
  },
  {
    files: { 'jira.csv': 'Summary,Issue key,Issue id,Issue Type,Status,Status Category,Resolution,Parent key,Inward issue link (Blocks)\nAn epic,ABC-1,1,Epic,Open,To Do,,,\nA story,ABC-2,2,Story,Closed,Done,Done,ABC-1,\nAnother,ABC-3,3,Story,Open,To Do,,ABC-1,ABC-2\n' },
    path: 'jira.csv'
  },
  {
    files: { 'issues.json': JSON.stringify([{ number: 1, title: 'One', state: 'CLOSED', stateReason: 'COMPLETED', url: 'https://github.com/o/r/issues/1', milestone: { title: 'v1' } }, { number: 2, title: 'Two', state: 'OPEN', body: 'Blocked by #1' }]) },
    path: 'issues.json'
  },
  {
    files: { 'board.json': JSON.stringify({ name: 'Board', lists: [{ id: 'l1', name: 'Doing' }, { id: 'l2', name: 'Done' }], cards: [{ id: 'c1', idShort: 1, name: 'One', desc: '', idList: 'l1' }, { id: 'c2', idShort: 2, name: 'Two', desc: '', idList: 'l2' }] }) },
    path: 'board.json'
  },
  {
    files: { '.beads': { 'issues.jsonl': '{"id":"ab-1","title":"Cards","issue_type":"epic","status":"open"}\n{"id":"ab-1.1","title":"One","status":"closed"}\n{"id":"ab-1.2","title":"Two","status":"open","dependencies":[{"depends_on_id":"ab-1.1","type":"blocks"}]}\n' } }
  }
]
