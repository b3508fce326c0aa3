// spec-kit: both generations of its templates, and what teams make of them.
import t from 'tap'
import { imported, importedFrom, planOf, questionsOf, typesOf } from './imported.js'

const SPEC = `# Feature Specification: Pay in instalments

**Feature Branch**: \`004-instalments\`
**Created**: 2026-03-04
**Status**: Draft
**Input**: User description: "Let people pay in three parts"

## Clarifications

### Session 2026-03-05

- Q: Who carries the risk? → A: The partner bank.

## Requirements

- **FR-001**: The offer MUST show all costs.
- **FR-002**: Offers expire after [NEEDS CLARIFICATION: how many days, and of which calendar?]
- A mark such as \`[NEEDS CLARIFICATION: like this]\` is explained here.

<!-- [NEEDS CLARIFICATION: not to be seen] -->

## Success Criteria

- Nine in ten decide within a minute.
`

const TASKS = `# Tasks: Pay in instalments

## Format: \`[ID] [P?] [Story] Description\`

\`\`\`
- [ ] T999 An example in a fence
\`\`\`

## Phase 1: Setup

- [x] T001 Make the folder
- [X] **T002** [P] Add the partner's client (depends on T001)
  - keep the key out of the log
  - [ ] a step of its own
<!-- - [ ] T998 not there -->

**Checkpoint**: The partner answers.

## Phase 2: Offer

### Tests for the offer

- [ ] T004 [P] [US1] Contract test
- [~] T003 [US1] Old path, skipped

### Implementation

- [ ] T005 [US1] Show the offer
  - Depends on: T001-T004
- [ ] T005 A second one of that number
- [ ] T019a After T003 (after T003 — same file), and more (depends on T777)

**Checkpoint**: An offer is shown.

## Dependencies

- Tests (T004) before implementation (T005)

## Validation Checklist

- [ ] All contracts have tests
`

const files = {
  specs: {
    '004-instalments': {
      'spec.md': SPEC,
      'plan.md': '# Implementation Plan: Instalments\n',
      'tasks.md': TASKS,
      contracts: { 'api.yaml': 'openapi: 3.1.0\n' },
      'notes.md': 'More.\n'
    },
    'loose.md': '# Loose\n'
  }
}

t.test('a feature of the new templates', async (t) => {
  const { of, all, problems, notes } = await imported(t, files)
  const feature = of('specs/004-instalments')
  t.equal(all.length, 1)
  const { exploration, plan, packages } = feature
  t.match(exploration, {
    title: 'Pay in instalments',
    status: 'ready',
    created_at: '2026-03-04T00:00:00.000Z',
    url: 'specs/004-instalments/spec.md#L1',
    summaries: [{ kind: 'summary', text: 'Let people pay in three parts' }, { kind: 'goals', text: /Nine in ten/ }],
    questions: [{ section: 'Requirements, FR-002' }]
  })
  t.strictSame(questionsOf(feature), [['how many days, and of which calendar?', null], ['Who carries the risk?', 'The partner bank.']])
  t.strictSame(planOf(feature), [
    'T001 done Phase 1: Setup: Make the folder',
    "T002 done Phase 1: Setup: [P] Add the partner's client (depends on T001) ← T001",
    'T004 todo Phase 2: Offer: [P] [US1] Contract test',
    'T003 blocked Phase 2: Offer: [US1] Old path, skipped',
    'T005 todo Phase 2: Offer: [US1] Show the offer ← T001, T002, T004, T003',
    'T005~2 todo Phase 2: Offer: A second one of that number',
    'T019a todo Phase 2: Offer: After T003 (after T003 — same file), and more (depends on T777) ← T003',
    'gate passed after Phase 1: Setup: The partner answers.',
    'gate open after Phase 2: Offer: An offer is shown.'
  ], 'in the order of the file')
  t.match(plan?.items.map(({ description = '' }) => description), [
    '', /keep the key out of the log\n- \[ \] a step of its own/, /Tests for/, /deferred or skipped/, /Depends on/, /Impl/, /not in this plan: T777/
  ])
  t.equal(typesOf(feature), 'spec,design,code,notes')
  t.equal(packages[0]?.markdown, SPEC, 'the text as it is')
  t.match(packages[2]?.markdown, /# tasks\.md[^]*# contracts\/api\.yaml\n\n```yaml\nopenapi/)
  t.match(problems, [/tasks\.md:30: the id T005 repeats/, /tasks\.md:31: T019a depends on T777/])
  t.match(notes.join('\n'), /specs\/loose\.md: left out[^]*2 checkboxes are no tasks but steps or criteria/)
})

t.test('the old template, and one that is not filled in', async (t) => {
  const { all } = await imported(t, {
    specs: {
      '001-old': { 'tasks.md': '# Tasks: [FEATURE NAME]\n\n## Phase 3.1: Setup\n- [x] T001 One\n\n## Phase 3.2: Tests First\n### Contract Tests\n- [x] T002 Two\n' },
      '004-only-a-spec': { 'spec.md': '# Feature Specification: [FEATURE NAME]\n\n- [NEEDS CLARIFICATION: of the template]\n' }
    }
  })
  t.strictSame(all.map(({ exploration: { title, status, questions } }) => [title, status, questions]), [['old', 'delivered', []], ['only a spec', 'draft', []]])
  t.strictSame(all.map(planOf), [['T001 done Phase 3.1: Setup: One', 'T002 done Phase 3.2: Tests First: Two'], []])
})

t.test('the same source has the same ids, another workspace others', async (t) => {
  const folder = t.testdir(files)
  const first = await importedFrom(folder)
  const again = await importedFrom(`${folder}/specs`)
  const other = await importedFrom(folder, { workspace: 'other' })
  t.strictSame(again.all, first.all, 'named by its root or by the folder of the plans')
  t.not(other.all[0]?.exploration.id, first.all[0]?.exploration.id)
  t.match(first.all[0]?.exploration.id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
