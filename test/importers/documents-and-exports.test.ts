// Decisions, documents of proposals, and what trackers export.
import t from 'tap'
import { dependenciesOf, imported, itemsOf, questionsOf } from './imported.js'

t.test('decision records', async (t) => {
  const { of, notes } = await imported(t, {
    docs: {
      adr: {
        '0001-record.md': '# 1. Record decisions\n\nDate: 12/02/2026\n\n## Status\n\nAccepted\n\n## Context\n',
        '0016-a.md': '---\nstatus: "proposed"\ndate: 2026-01-02\n---\n# Use A\n',
        '0016-b.md': '# ADR-0016: Use B\n\n* Status: superseded by [0017](0017-c.md)\n',
        '20260101-c.md': '# Use C\n\n- Status: accepted\n- Date: 2026-01-01\n',
        'no-status.md': '# Nothing said\n',
        'README.md': '# Decisions\n',
        'template.md': '# [short title]\n'
      }
    }
  })
  const { decisions, exploration } = of('docs/adr')
  t.equal(exploration.title, 'Decisions')
  t.strictSame(
    decisions.map(({ record: { title, status, approved_at: at } }) => [title, status, at]),
    [
      ['Record decisions', 'approved', '2026-02-12T00:00:00.000Z'],
      ['Use A', 'proposed', null],
      ['Use B', 'rejected', null],
      ['Use C', 'approved', '2026-01-01T00:00:00.000Z'],
      ['Nothing said', 'proposed', null]
    ]
  )
  t.equal(new Set(decisions.map(({ record }) => record.id)).size, 5, 'the path is the identity, not the number')
  t.equal(notes.length, 2)
})

t.test('documents of proposals', async (t) => {
  const { of } = await imported(t, {
    text: {
      '0001-new-thing.md':
        '- Start Date: 2026-02-03\n\n# Summary\n\nShort.\n\n# Unresolved questions\n\n## How fast?\n\nMaybe.\n\n## How **big**?\n'
    },
    rfcs: {
      '0002-named.md': '---\ntitle: A name\nstatus: rejected\n---\n# Summary\n\n# Unresolved questions\n\nNone.\n',
      '0000-template.md': '# Summary\n'
    },
    keps: {
      '12-start': {
        'kep.yaml': 'title: Start\nkep-number: 12\nstatus: implementable\nstage: alpha\ncreation-date: 2026-03-04\n',
        'README.md': '# KEP-12: Start\n'
      }
    },
    peps: { 'pep-0008.rst': 'PEP: 8\nTitle: Style\nStatus: Active\nCreated: 05-Jul-2001\n\nText with ``` in it\n' },
    draft: {
      '0007-policy.rst':
        '=============\nDEP 7: Policy\n=============\n\n:DEP: 7\n:Status: Draft\n:Created: 2026-06-06\n'
    }
  })
  t.match(of('text/0001-new-thing.md').exploration, {
    title: 'new thing',
    status: 'ready',
    created_at: '2026-02-03T00:00:00.000Z'
  })
  t.strictSame(questionsOf(of('text/0001-new-thing.md')), [
    ['How fast?', null],
    ['How big?', null]
  ])
  t.match(of('rfcs/0002-named.md').exploration, { title: 'A name', status: 'archived', questions: [] })
  t.match(of('keps/12-start').exploration, {
    title: 'Start',
    status: 'ready',
    tags: ['kep', 'KEP-12', 'alpha'],
    created_at: '2026-03-04T00:00:00.000Z'
  })
  t.match(of('peps/pep-0008.rst').exploration, {
    title: 'Style',
    status: 'delivered',
    created_at: '2001-07-05T00:00:00.000Z'
  })
  t.match(of('peps/pep-0008.rst').packages[0]?.markdown, /^````rst\n/)
  t.match(of('draft/0007-policy.rst').exploration, { title: 'Policy', status: 'exploring' })
})

t.test('CSV of Linear', async (t) => {
  const csv = [
    'ID,Team,Title,Description,Status,Project,Cycle Name,Parent issue,Blocked by,Related to,Canceled,Created',
    'LIN-10,Web,"Ten, quoted","Two\nlines ""said""",Done,Shop,Cycle 1,,,,,2026-01-02T03:04:05.000Z',
    'LIN-9,Web,\'=SUM(A1),,In Progress,Shop,,LIN-10,"LIN-10, LIN-2",LIN-10,,',
    'LIN-2,Web,Two,,Backlog,,,,,,2026-02-02,'
  ].join('\r\n')
  const { of, problems } = await imported(t, { 'out.csv': csv }, { path: 'out.csv' })
  t.strictSame(
    itemsOf(of('Shop')),
    ['LIN-9 in_progress Cycle 1: =SUM(A1)', 'LIN-10 done Cycle 1: Ten, quoted'],
    'in the order of the ids'
  )
  t.strictSame(dependenciesOf(of('Shop')), ['LIN-9 ← LIN-10', 'LIN-9 ~ LIN-10'])
  t.match(of('Shop').plan?.items[1]?.description, 'Two\nlines "said"')
  t.match(of('team:Web').exploration.title, 'Web: no project')
  t.match(of('team:Web').plan?.items[0], { id: 'LIN-2', status: 'todo', description: /not to be done/ })
  t.match(problems, [/out\.csv:4: LIN-9 depends on LIN-2/])
})

t.test('CSV of Jira, whose columns repeat', async (t) => {
  const csv =
    '\uFEFF' +
    [
      'Summary,Issue key,Issue id,Issue Type,Status,Status Category,Resolution,Parent key,Sprint,Sprint,Inward issue link (Blocks),Created,Description',
      'An epic,ABC-1,100,Epic,Open,To Do,,,,,,22/Sep/25 9:26 AM,h2. Why',
      'A story,ABC-2,101,Story,Closed,Done,Done,ABC-1,S1,S2,,23/Sep/25 9:26 PM,"* one\n{code:java}*x*{code}"',
      'A subtask,ABC-3,102,Sub-task,Odd,In Progress,,ABC-2,,,ABC-2,23-07-2014,',
      "Given up,ABC-4,103,Task,Closed,Done,Won't Do,,,,,,",
      'Far,XYZ-1,104,Task,New,,,,,,,,'
    ].join('\n')
  const { of } = await imported(t, { 'jira.csv': csv }, { path: 'jira.csv' })
  t.match(of('ABC-1').exploration, {
    title: 'An epic',
    summaries: [{ text: '## Why' }],
    created_at: '2014-07-23T00:00:00.000Z'
  })
  t.strictSame(itemsOf(of('ABC-1')), ['ABC-2 done S2: A story', 'ABC-3 in_progress S2: A subtask'])
  t.strictSame(dependenciesOf(of('ABC-1')), ['ABC-3 ← ABC-2'])
  t.match(of('ABC-1').plan?.items[0]?.description, /- one\n\n```java\n\*x\*\n```/)
  t.match(of('ABC').plan?.items, [{ id: 'ABC-4', status: 'todo', description: /not to be done/ }])
  t.strictSame(itemsOf(of('XYZ')), ['XYZ-1 todo Issues: Far'])
  const german = await imported(
    t,
    {
      'de.csv':
        'Zusammenfassung,Vorgangsschlüssel,Status,Lösung,Erstellt\nEins,DE-1,Erledigt,Fertig,20/Okt/25 1:02 PM\n'
    },
    { path: 'de.csv' }
  )
  t.strictSame(itemsOf(german.of('DE')), ['DE-1 done Issues: Eins'])
  const mapped = await imported(
    t,
    { 'xx.csv': 'A,B,C,D,E,F\nKL-1,Eins,x,x,x,x\n' },
    { path: 'xx.csv', format: 'jira-csv', columns: new Map([['summary', 'B']]) }
  )
  t.strictSame(itemsOf(mapped.of('KL')), ['KL-1 todo Issues: Eins'])
})

t.test('JSON of GitHub', async (t) => {
  const issues = [
    {
      number: 12,
      title: 'Twelve',
      state: 'CLOSED',
      stateReason: 'COMPLETED',
      url: 'https://github.com/o/r/issues/12',
      body: 'Blocked by #2',
      labels: [{ name: 'bug' }],
      milestone: { title: 'v1' }
    },
    { number: 2, title: 'Two', state: 'CLOSED', stateReason: 'NOT_PLANNED' },
    { number: 3, title: 'A pull request', pull_request: {} }
  ]
  const { of, notes } = await imported(t, { 'issues.json': JSON.stringify(issues) }, { path: 'issues.json' })
  t.strictSame(itemsOf(of('o/r')), ['2 todo Issues: Two', '12 done v1: Twelve'])
  t.strictSame(dependenciesOf(of('o/r')), ['12 ← 2'])
  t.match(notes, [/1 pull requests/])
  const project = {
    items: [
      { content: { number: 4, title: 'Four', body: '' }, status: 'In Progress', title: 'Four' },
      { content: { title: 'A draft' }, status: 'Todo', title: 'A draft' }
    ],
    totalCount: 9
  }
  const board = await imported(t, { 'items.json': JSON.stringify(project) }, { path: 'items.json' })
  t.strictSame(itemsOf(board.of('items.json')).sort(), ['4 in_progress Issues: Four', 'g1-1 todo Issues: A draft'])
  t.match(board.notes, [/2 of 9 items/])
})
