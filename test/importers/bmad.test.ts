// BMAD, versions 4 and 6: epics, stories with tasks, criteria, the sprint's status. Agent OS: specifications, the product.
import t from 'tap'
import { imported, planOf, typesOf } from './imported.js'

const EPICS = `# Shop - Epic Breakdown

## Epic List

### Epic 1: Pay
Customers can pay.

## Epic 1: Pay

Customers can pay.

### Story 1.1: Card

As a customer, I want to pay.

**Acceptance Criteria:**

**Given** a card
**When** it is charged
**Then** it works

**And** a receipt comes

### Story 1.2: Refund

As a customer, I want it back.

**Acceptance Criteria:**

1. It is refunded
2. It is quick

**Prerequisites:** Story 1.1

## Epic 2: Ship

### Story 2.1: Label
`
const EPIC_0 = '# Epic 0: Pay\n\nText\n'
const STORY = `# Story 1.1: Card

Status: review

## Story

As a customer, I want to pay.

## Acceptance Criteria

1. **Given** a card, it is charged
   at once
2. A receipt comes
3. [x] It is logged
4. Nobody names this

## Tasks / Subtasks

- [x] **Task 1: Charge** (AC: 1)
  - [x] 1.1 Call the bank
  - [ ] Retry
    with a delay
- [ ] Task 2: Receipt (AC: #2, #3)

### Review Follow-ups (AI)

- [ ] [HIGH] Test it

## Definition of Done

- [ ] All tests pass
`
const SPRINT = `generated: 2026-01-01
development_status:
  # Epic 1: Pay
  epic-1: in-progress
  1-1-card: review
  1-2-refund: ready-for-dev # next
  epic-1-retrospective: optional

  # Epic 2: Ship
  epic-2: done
  2-1-label: done
  2-2-parcel: backlog
`

t.test('version 6', async (t) => {
  const { all, of, problems, notes } = await imported(t, {
    _bmad: { bmm: { 'config.yaml': 'project_name: shop\n', workflows: { 'epics.md': '## Epic {{N}}: x\n' } } },
    '_bmad-output': {
      'planning-artifacts': {
        'epics.md': EPICS,
        'epics-other.md': '## Epic 1: Something else\n\n### Story 1.9: Foreign\n',
        'prd.md': '# PRD\n',
        'prd-validation-report.md': '# x\n',
        'architecture.md': '# Architecture\n'
      },
      'implementation-artifacts': { 'sprint-status.yaml': SPRINT, '1-1-card.md': STORY, 'epic-1-retro-2026-01-01.md': '# Epic 1\n' }
    }
  })
  t.strictSame([problems, notes], [[], []])
  t.strictSame(all.map(({ path, exploration: { title, status } }) => [path, status, title].join(' ')).slice(1), [
    '_bmad-output/epic-1 ready Pay', '_bmad-output/epic-2 delivered Ship'
  ])
  t.match(of('_bmad-output/prd').packages, [{ artifact_type: 'requirements' }, { artifact_type: 'design' }])
  const pay = of('_bmad-output/epic-1')
  t.strictSame(planOf(pay), [
    '1.1.1 done Story 1.1: Card: Charge (AC: 1) [ ] **Given** a card, it is charged at once',
    '1.1.1.1 done Story 1.1: Card: Call the bank',
    '1.1.1.2 todo Story 1.1: Card: Retry with a delay',
    '1.1.2 todo Story 1.1: Card: Receipt (AC: #2, #3) [ ] A receipt comes [x] It is logged',
    '1.1.3 todo Story 1.1: Card: [HIGH] Test it [ ] Nobody names this',
    '1.2 todo Story 1.2: Refund: Refund [ ] It is refunded [ ] It is quick'
  ])
  t.match(pay.plan?.items.map(({ source }) => `${source?.path.replace(/.*\//, '')}:${source?.line}`), [
    '1-1-card.md:19', '1-1-card.md:20', '1-1-card.md:21', '1-1-card.md:23', '1-1-card.md:27', 'sprint-status.yaml:6'
  ])
  t.match(pay.plan?.items[5]?.description, /As a customer, I want it back/)
  t.match(pay.packages, [{ artifact_type: 'spec', markdown: /Story 1\.2: Refund/ }, { artifact_type: 'tasks', markdown: /Charge/ }])
  t.strictSame(planOf(of('_bmad-output/epic-2')), ['2.1 done Story 2.1: Label: Label', '2.2 todo Story 2.2: parcel: parcel'])
})

t.test('version 4', async (t) => {
  const story = (status: string, box: string) =>
    `# Story 3.1: Search\n\n## Status\n${status}\n\n## Acceptance Criteria\n\n### AC1: Finds\n- words\n\n### AC2: Ranks\n\n## Tasks / Subtasks\n\n### Index (AC: 2)\n- [${box}] Build\n- [${box}] Query (AC: all)\n`
  const { all, of, notes } = await imported(t, {
    '.bmad-core': { 'core-config.yaml': 'markdownExploder: true\n' },
    docs: {
      prd: { 'epic-3-find.md': '# Epic 3: Find\n\n### Story 3.2: Filter\n\n**Acceptance Criteria:**\n\n1. It filters\n', 'index.md': '# PRD\n' },
      stories: {
        '3.1.search.story.md': story('Ready for Review - by QA', 'x'),
        '4.1.old.story.md': story('Done', ' '),
        '3.1.manual-test-plan.md': '# Test plan\n\n- [ ] x\n'
      },
      'guide.md': '- [ ] x\n'
    }
  })
  t.strictSame(all.map(({ path }) => path), ['docs/prd', 'docs/epic-3', 'docs/epic-4'])
  t.strictSame(planOf(of('docs/epic-3')), [
    '3.1.1 done Story 3.1: Search: Build [ ] AC2: Ranks',
    '3.1.2 done Story 3.1: Search: Query (AC: all) [ ] AC1: Finds - words [ ] AC2: Ranks',
    '3.2 todo Story 3.2: Filter: Filter [ ] It filters'
  ])
  t.match(of('docs/epic-4'), { exploration: { status: 'delivered', title: 'Epic 4' } }, 'nobody keeps its boxes')
  t.match(notes.join('\n'), /manual-test-plan\.md: left out[^]*story 4\.1 is done, but 2 of its 2 boxes are open/)
})

t.test('Agent OS', async (t) => {
  const { all, of } = await imported(t, {
    '.agent-os': {
      specs: {
        '2026-01-02-albums': {
          'spec.md': '# Spec Requirements Document\n\n> Spec: Photo albums\n\n## Overview\n\nKeep photos.\n',
          'sub-specs': { 'technical-spec.md': '# Technical\n' },
          'tasks.md': '# Spec Tasks\n\n## Tasks\n\n- [x] 1. Store\n  - [x] 1.1 Table\n- [ ] 2. Show\n'
        }
      },
      product: { 'mission.md': '# Mission\n', 'roadmap.md': '# Roadmap\n\n## Phase 1\n\n- [x] Albums\n\n## Phase 2\n\n- [ ] Search\n' },
      instructions: { 'plan.md': '- [ ] no plan\n' }
    }
  })
  t.equal(all.length, 2)
  const albums = of('.agent-os/specs/2026-01-02-albums')
  t.match(albums.exploration, {
    title: 'Photo albums', status: 'ready', created_at: '2026-01-02T00:00:00.000Z', summaries: [{ text: 'Keep photos.' }]
  })
  t.strictSame(planOf(albums), ['1 done 1. Store: Store', '1.1 done 1. Store: Table', '2 todo 2. Show: Show'])
  t.equal(typesOf(albums), 'requirements,design,tasks')
  t.strictSame(planOf(of('.agent-os/product')), ['g1-1 done Phase 1: Albums', 'g2-1 todo Phase 2: Search'])
})

t.test('version 4 in docs goes on in the folder of version 6', async (t) => {
  const { all, of } = await imported(t, {
    docs: { epics: { 'epic-0.md': EPIC_0 }, 'sprint-artifacts': { 'e0-1-card.md': '# Story E0-1: Card\n\nStatus: review\n\n## Tasks\n\n- [x] Charge\n' } },
    '_bmad-output': { 'planning-artifacts': { epics: { 'epic-0.md': EPIC_0 } }, 'sprint-status.yaml': 'development_status:\n  epic-0: in-progress\n  e0-2-receipt: done\n' }
  })
  t.strictSame(all.map(({ path, exploration }) => `${path} ${exploration.title}`), ['docs/epic-0 Pay'])
  t.strictSame(planOf(of('docs/epic-0')), ['0.1.1 done Story 0.1: Card: Charge', '0.2 done Story 0.2: receipt: receipt'])
})
