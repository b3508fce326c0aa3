// OpenSpec, Kiro, Backlog.md and task-master.
import t from 'tap'
import { imported, planOf, questionsOf, typesOf } from './imported.js'

t.test('OpenSpec', async (t) => {
  const change = {
    'proposal.md':
      '## Why\nIt is slow.\n\n## What Changes\n- Faster\n\n## Impact\nAll.\n\n## Open Questions\n- None known at this point.\n',
    'design.md':
      '# Design\n\n## Open Questions\n\n- **Q**: Which cache?\n  - **A**: None.\n- Should it expire? Recommendation: no.\n- ~~How big?~~ 10 MB\n',
    'tasks.md':
      '## 1. Do\n\n- [x] 1.1 First\n  which goes on\n- [ ] 1.2 Second\n  - [ ] a step\n- [ ] 1.2 Twice\n\n## 2. Test\n- [-] 2.1 Third\n- [ ] No number\n',
    specs: { cache: { 'spec.md': '## ADDED Requirements\n' } },
    '.openspec.yaml': 'created: 2026-01-02\n'
  }
  const { of, all } = await imported(t, {
    openspec: {
      changes: {
        'add-cache': change,
        'ORDER.md': 'x',
        archive: { '2026-02-03-drop-cache': { 'proposal.md': '# Change: Drop the cache\n' } }
      },
      specs: { cache: { 'spec.md': '# Cache\n' } },
      'config.yaml': 'context: x\n'
    }
  })
  const active = of('openspec/changes/add-cache')
  t.equal(all.length, 3)
  t.match(active.exploration, { title: 'add cache', status: 'ready', created_at: '2026-01-02T00:00:00.000Z' })
  t.strictSame(active.exploration.summaries.map(({ kind }) => kind), ['problem', 'summary', 'impact'])
  t.strictSame(questionsOf(active), [
    ['Which cache?', 'None.'],
    ['Should it expire? Recommendation: no.', null],
    ['How big?', '10 MB']
  ])
  t.strictSame(planOf(active), [
    '1.1 done 1. Do: First which goes on',
    '1.2 todo 1. Do: Second',
    '1.2~2 todo 1. Do: Twice',
    '2.1 in_progress 2. Test: Third',
    'g2-2 todo 2. Test: No number'
  ])
  t.match(active.plan?.items[1]?.description, '- [ ] a step')
  t.equal(typesOf(active), 'design,code,tasks')
  t.match(
    of('openspec/changes/drop-cache').exploration,
    { title: 'Drop the cache', status: 'delivered', updated_at: '2026-02-03T00:00:00.000Z' },
    'an archived change keeps its identity'
  )
  t.match(of('openspec/specs').exploration, { title: 'Current specifications' })
})

t.test('Kiro', async (t) => {
  const { of, notes } = await imported(t, {
    '.kiro': {
      specs: {
        'photo-albums': {
          'requirements.md': '# Requirements Document\n\n## Introduction\nAlbums.\n',
          'design.md': '# Design Document: Photo albums\n',
          'tasks.md':
            '# Implementation Plan\n\n- [x] 1. Set up\n- [x] 1.1 Project\n  - _Requirements: 1.1, 2.3_\n- [-] 1.2 Storage\n  - _Depends: 1.1_\n- [ ] 2. Build\n  - [ ]* 2.1 Tests\n  - [ ] 2.2 Albums\n\n## Task Status Legend\n- [ ] 1. Not started\n- [x] 2. Done\n',
          'spec.json':
            '{"phase": "tasks-generated", "created_at": "2026-04-05T06:07:08Z", "approvals": {"tasks": {"approved": false}}}'
        },
        phases: { 'tasks.md': '## Quick wins\n- [x] 1. A\n\n## Later\n- [ ] 2. B\n' },
        'loose.md': 'x'
      },
      steering: { 'tech.md': '# Tech\n', 'product.md': '# Product\n' }
    }
  })
  const album = of('.kiro/specs/photo-albums')
  t.match(album.exploration, { title: 'Photo albums', status: 'exploring', created_at: '2026-04-05T06:07:08.000Z' })
  t.strictSame(planOf(album), [
    '1 done 1. Set up: Set up',
    '1.1 done 1. Set up: Project',
    '1.2 in_progress 1. Set up: Storage ← 1.1',
    '2 todo 2. Build: Build',
    '2.1 todo 2. Build: Tests',
    '2.2 todo 2. Build: Albums'
  ], 'the number decides, not the indentation; requirements are no dependencies')
  t.match(album.plan?.items[4]?.description, 'Optional.')
  t.strictSame(planOf(of('.kiro/specs/phases')), ['1 done Quick wins: A', '2 todo Later: B'])
  t.match(of('.kiro/steering').packages, [{ artifact_type: 'steering', markdown: /# product\.md[^]*# tech\.md/ }])
  t.match(notes.join('\n'), /loose\.md: left out/)
})

t.test('Backlog.md', async (t) => {
  const task = (id: string, title: string, status: string, rest = '') =>
    `---\nid: ${id}\ntitle: ${title}\nstatus: ${status}\ncreated_date: '2026-05-06 07:08'\n${rest}---\n\n## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\nText\n<!-- SECTION:DESCRIPTION:END -->\n\n## Acceptance Criteria\n- [ ] #1 No item\n`
  const { of, notes } = await imported(t, {
    backlog: {
      'config.yml': 'project_name: "Shop"\nstatuses: ["To Do", "Doing it", "Shipped"]\n',
      tasks: {
        'back-10 - Ten.md': task('BACK-10', 'Ten', 'Doing it', 'dependencies: [task-02, BACK-77]\n'),
        'back-2 - Two.md': task('BACK-2', "'feat: Two'", 'Shipped'),
        'back-10.1 - Sub.md': task('BACK-10.1', 'Sub', 'Wishful', 'parent_task_id: BACK-10\n'),
        'back-3 - Three.md': task('BACK-3', 'Three', 'To Do', 'milestone: m-1\n')
      },
      drafts: { 'draft-1 - Idea.md': task('DRAFT-1', 'Idea', 'Shipped') },
      archive: { tasks: { 'back-1 - Old.md': task('BACK-1', 'Old', 'Shipped') } },
      milestones: { 'm-1 - first-release.md': '---\nid: m-1\ntitle: First release\n---\n' },
      decisions: {
        'decision-1 - Use-it.md': '---\nid: decision-1\ntitle: Use it\nstatus: accepted\ndate: 2026-01-01\n---\nBecause.\n'
      },
      docs: { 'doc-1 - How.md': '# How\n' }
    }
  })
  const folder = of('backlog')
  t.match(folder.exploration, { title: 'Shop', status: 'ready', created_at: '2026-05-06T07:08:00.000Z' })
  t.strictSame(planOf(folder).map((line) => line.replace(' [ ] No item', '')).sort(), [
    'BACK-10 in_progress Ten: Ten ← BACK-2',
    'BACK-10.1 todo Ten: Sub',
    'BACK-2 done Tasks: feat: Two',
    'BACK-3 todo First release: Three',
    'DRAFT-1 todo Drafts: Idea'
  ], 'a draft is never done; ids are compared without prefix and leading zeros')
  t.match(folder.decisions, [
    { record: { title: 'Use it', status: 'approved', approved_by: null, approved_at: '2026-01-01T00:00:00.000Z' } }
  ])
  t.match(folder.packages, [{ artifact_type: 'design' }])
  t.match(notes.join('\n'), /1 archived files[^]*"Wishful" is not known/)
})

t.test('task-master', async (t) => {
  const subtasks = [
    { id: 1, title: 'Sub one', status: 'done' }, { id: 2, title: 'Sub two', status: 'pending', dependencies: [1, '3', '1.1'] }
  ]
  const tagged = {
    master: {
      tasks: [
        { id: 1, title: 'One', status: 'done', dependencies: [], subtasks },
        { id: 3, title: 'Three', status: 'review', dependencies: [1, '1.2', 9], testStrategy: 'Try it' },
        { id: '4', title: 'Four', status: 'cancelled', subtasks: [{ id: 4.1, title: 'Full id', status: 'done' }] }
      ],
      metadata: { created: '2026-06-07T08:09:10.000Z' }
    },
    'feature-x': { tasks: [{ id: 1, title: 'Alone', status: 'deferred' }] }
  }
  const { of, problems, report } = await imported(t, {
    '.taskmaster': { tasks: { 'tasks.json': JSON.stringify(tagged) }, docs: { 'prd.txt': '# PRD: The shop\n' } }
  })
  const main = of('.taskmaster/tasks/tasks.json#master')
  t.match(main.exploration, { title: 'The shop', created_at: '2026-06-07T08:09:10.000Z' })
  t.strictSame(planOf(main), [
    '1 done One: One',
    '1.1 done One: Sub one',
    '1.2 todo One: Sub two ← 1.1, 3',
    '3 in_progress Three: Three ← 1, 1.2',
    '4 todo Four: Four',
    '4.1 done Four: Full id'
  ], 'a bare number is a sibling, else a whole task')
  t.match(problems, [/3 depends on 9, which is not here/])
  t.match(main.packages, [{ artifact_type: 'requirements', markdown: '# PRD: The shop\n' }])
  t.match(report.outcomes[0]?.packages, [{ paths: ['.taskmaster/docs/prd.txt'] }], 'the report names the file as it is')
  t.match(of('.taskmaster/tasks/tasks.json#feature-x').plan?.items[0], { status: 'todo', description: /not to be done/ })
  const untagged = await imported(t, {
    tasks: { 'tasks.json': JSON.stringify({ tasks: [{ id: 'TASK-001', title: 'Look-alike', completed: true }] }) }
  })
  t.strictSame(planOf(untagged.of('tasks/tasks.json')), ['TASK-001 done Tasks: Look-alike'])
})
