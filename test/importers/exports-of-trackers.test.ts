// Exports of trackers with the columns that they have: relations by title, states by another name, issues without ids.
import t from 'tap'
import { imported, planOf, type Imported } from './imported.js'

const csv = async (t: Parameters<typeof imported>[0], ...rows: string[]): Promise<Imported> =>
  await imported(t, { 'out.csv': rows.join('\r\n') }, { path: 'out.csv' })
const json = async (t: Parameters<typeof imported>[0], value: unknown): Promise<Imported> =>
  await imported(t, { 'out.json': JSON.stringify(value) }, { path: 'out.json' })

t.test('CSV of Linear', async (t) => {
  const { of, problems } = await csv(t,
    'ID,Team,Title,Description,Status,Project,Cycle Name,Parent issue,Blocked by,Related to,Canceled,Created',
    'LIN-10,Web,"Ten, quoted","Two\nlines ""said""",Done,Shop,Cycle 1,,,,,2026-01-02T03:04:05.000Z',
    'LIN-9,Web,\'=SUM(A1),,In Progress,Shop,,LIN-10,"LIN-10, LIN-2",LIN-10,,',
    'LIN-2,Web,Two,,Backlog,,,,,,2026-02-02,'
  )
  t.strictSame(
    planOf(of('Shop')), ['LIN-9 in_progress Cycle 1: =SUM(A1) ← LIN-10 ~ LIN-10', 'LIN-10 done Cycle 1: Ten, quoted'], 'in the order of the ids'
  )
  t.match(of('Shop').plan?.items[1]?.description, 'Two\nlines "said"')
  t.equal(of('Shop').plan?.items[1]?.source, undefined, 'a row of an export moves with each export')
  t.match(of('team:Web').exploration.title, 'Web: no project')
  t.match(of('team:Web').plan?.items[0], { id: 'LIN-2', status: 'todo', description: /not to be done/ })
  t.match(problems, [/out\.csv:4: LIN-9 depends on LIN-2/])
})

t.test('CSV of Jira, whose columns repeat', async (t) => {
  const { of } = await csv(t,
    '\uFEFFSummary,Issue key,Issue id,Issue Type,Status,Status Category,Resolution,Parent key,Sprint,Sprint,Inward issue link (Blocks),Created,Description',
    'An epic,ABC-1,100,Epic,Open,To Do,,,,,,22/Sep/25 9:26 AM,h2. Why',
    'A story,ABC-2,101,Story,Closed,Done,Done,ABC-1,S1,S2,,23/Sep/25 9:26 PM,"* one\n{code:java}*x*{code}"',
    'A subtask,ABC-3,102,Sub-task,Odd,In Progress,,ABC-2,,,ABC-2,23-07-2014,',
    "Given up,ABC-4,103,Task,Closed,Done,Won't Do,,,,,,",
    'Far,XYZ-1,104,Task,New,,,,,,,,'
  )
  t.match(of('ABC-1').exploration, { title: 'An epic', summaries: [{ text: '## Why' }], created_at: '2014-07-23T00:00:00.000Z' })
  t.strictSame(planOf(of('ABC-1')), ['ABC-2 done S2: A story', 'ABC-3 in_progress S2: A subtask ← ABC-2'])
  t.match(of('ABC-1').plan?.items[0]?.description, /- one\n\n```java\n\*x\*\n```/)
  t.match(of('ABC').plan?.items, [{ id: 'ABC-4', status: 'todo', description: /not to be done/ }])
  t.strictSame(planOf(of('XYZ')), ['XYZ-1 todo Issues: Far'])
  const german = await csv(t,
    'Zusammenfassung,Vorgangsschlüssel,Status,Lösung,Erstellt', 'Eins,DE-1,Erledigt,Fertig,20/Okt/25 1:02 PM'
  )
  t.strictSame(planOf(german.of('DE')), ['DE-1 done Issues: Eins'])
  const columns = new Map([['summary', 'B']])
  const mapped = await imported(t, { 'xx.csv': 'A,B,C,D,E,F\nKL-1,Eins,x,x,x,x\n' }, { path: 'xx.csv', format: 'jira-csv', columns })
  t.strictSame(planOf(mapped.of('KL')), ['KL-1 todo Issues: Eins'])
})

t.test('JSON of GitHub', async (t) => {
  const url = 'https://github.com/o/r/issues/12'
  const { of, notes } = await json(t, [
    { number: 12, title: 'Twelve', state: 'CLOSED', stateReason: 'COMPLETED', url, body: 'Blocked by #2', labels: [{ name: 'bug' }], milestone: { title: 'v1' } },
    { number: 2, title: 'Two', state: 'CLOSED', stateReason: 'NOT_PLANNED' },
    { number: 3, title: 'A pull request', pull_request: {} }
  ])
  t.strictSame(planOf(of('o/r')), ['2 todo Issues: Two', '12 done v1: Twelve ← 2'])
  t.match(notes, [/1 pull requests/])
  const board = await json(t, {
    items: [
      { content: { number: 4, title: 'Four', body: '' }, status: 'In Progress', title: 'Four' },
      { content: { title: 'A draft' }, status: 'Todo', title: 'A draft' }
    ],
    totalCount: 9
  })
  t.strictSame(planOf(board.of('out.json')).sort(), ['4 in_progress Issues: Four', 'g1-1 todo Issues: A draft'])
  t.match(board.notes, [/2 of 9 items/])
})

t.test('CSV of Notion, whose relations are titles with addresses', async (t) => {
  const page = (title: string) => `${title} (https://www.notion.so/${title.replaceAll(/\W+/g, '-')}-0a1b?pvs=21)`
  const { of, problems } = await csv(t,
    'Task name,Status,Parent item,Blocked by,Project,Tags',
    `"Read, parse",Done,,,${page('Cards')},x`,
    `Write,In progress,"${page('Read, parse')}",,${page('Cards')},`,
    `Test,Not started,,"${page('Read, parse')}, ${page('Write')}",${page('Cards')},`,
    'Ship,Not started,,Test (Ship%20plan/Test%200a1b.md),Cards,'
  )
  t.strictSame(planOf(of('Cards')), [
    'g1-1 done Read, parse: Read, parse', 'g1-2 in_progress Read, parse: Write', 'g2-1 todo Issues: Test ← g1-1, g1-2', 'g2-2 todo Issues: Ship ← g2-1'
  ])
  t.match(of('Cards').plan?.items[1]?.description, /^Part of Read, parse\./)
  t.strictSame(problems, [])
})

const AT = { exploration: { created_at: '2026-01-02T03:04:05.000Z' } }

/** The rows of each, its project, the plan, and what else is there. */
const CSVS: Array<[name: string, project: string, rows: string[], plan: string[], more?: object]> = [
  ['Plane', 'Shop', [
    'ID,Project,Name,State Name,Priority,Parent,Relations,Completed At',
    'SHOP-1,Shop,One,Done,none,,"{""blocking"": ""SHOP-3""}",x',
    'SHOP-2,Shop,Two,In Progress,high,SHOP-1,"{""blocked_by"": ""SHOP-1"", ""relates_to"": [""SHOP-3""]}",',
    'SHOP-3,Shop,Three,Backlog,none,,{},'
  ], ['SHOP-1 done SHOP-1 One: One', 'SHOP-2 in_progress SHOP-1 One: Two ← SHOP-1 ~ SHOP-3', 'SHOP-3 todo Issues: Three ← SHOP-1']],
  ['ClickUp', 'Cards', [
    'Task ID,Task Custom ID,Task Name,Task Content,Status,Date Created,Parent ID,Assignees,Tags,Priority,List Name,Folder Name,Space Name',
    '86a1,,One,Text,complete,1767323045000,null,[Ann],[],2,Cards,Pay,Team',
    '86a2,,Two,,in progress,1767323045000,86a1,[],[x],null,Cards,Pay,Team'
  ], ['86a1 done 86a1 One: One', '86a2 in_progress 86a1 One: Two'], { ...AT, plan: { items: [{ description: /Text/ }] } }],
  ['Asana, where what is done has a time', 'Cards', [
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Due Date,Tags,Notes,Projects,Parent task,Blocked By (Dependencies)',
    '1201,2026-01-02,2026-01-05,2026-01-05,"Read, parse",Build,Ann,,,Text,Cards,,',
    '1202,2026-01-02,,2026-01-05,Write,In Progress,,,,,Cards,,"Read, parse"',
    '1203,2026-01-02,,2026-01-05,Print,,,,,,,Write,"Read, parse,Write"'
  ], ['1201 done Build: Read, parse', '1202 in_progress In Progress: Write ← 1201', '1203 todo In Progress: Print ← 1201, 1202']],
  ['GitLab', 'out.csv', [
    'Title,Description,ID,IID,Issue ID,URL,State,Author,Assignee,Milestone,Labels,Created At (UTC)',
    'One,Text,9001,1,1,https://gitlab.com/o/r/-/issues/1,Closed,Ann,,v1,bug,2026-01-02 03:04:05',
    'Two,,9002,2,2,https://gitlab.com/o/r/-/issues/2,Open,Ann,,,,2026-01-02 03:04:05'
  ], ['1 done v1: One', '2 todo Issues: Two'], AT]
]

for (const [name, project, rows, plan, more = {}] of CSVS) {
  t.test(`CSV of ${name}`, async (t) => {
    const { of, problems } = await csv(t, ...rows)
    t.strictSame(planOf(of(project)), plan)
    t.match(of(project), more)
    t.strictSame(problems, [])
  })
}

t.test('JSON of GitLab', async (t) => {
  const issue = (iid: number, more: object) =>
    ({ id: 9000 + iid, iid, title: `Issue ${iid}`, web_url: `https://gitlab.com/o/sub/r/-/issues/${iid}`, ...more })
  const read = await json(t, [
    issue(1, { state: 'closed', milestone: { id: 3, iid: 1, title: 'v1' } }),
    issue(2, { state: 'opened', description: 'Blocked by #1', labels: ['bug'] })
  ])
  t.strictSame(read.all.map(({ path }) => path), ['o/sub/r'])
  t.strictSame(planOf(read.of('o/sub/r')), ['1 done v1: Issue 1', '2 todo Issues: Issue 2 ← 1'])
  t.strictSame(read.report.remarks, [])
})

t.test('JSON of issues that have no number yet', async (t) => {
  const { all, problems } = await json(t, [
    { title: 'One', body: 'Text', labels: ['bug'], milestone: 'v1' }, { title: 'Two', body: '' }
  ])
  t.strictSame(all[0] && planOf(all[0]), ['g1-1 todo v1: One', 'g2-1 todo Issues: Two'])
  t.match(problems, [/no status was found/])
  const listed = await json(t, { repository: 'o/r', issues: [{ title: 'One', body: 'x', state: 'open' }] })
  t.strictSame(listed.all[0] && planOf(listed.all[0]), ['g1-1 todo Issues: One'])
})

t.test('JSON of Trello', async (t) => {
  const { of, notes, problems } = await json(t, {
    id: 'b',
    name: 'Cards',
    idOrganization: null,
    lists: [
      { id: 'l1', name: 'Doing', closed: false }, { id: 'l2', name: 'Done', closed: false }, { id: 'l3', name: 'Old', closed: true }
    ],
    cards: [
      { id: 'c3', idShort: 3, name: 'Ship', desc: '', closed: false, idList: 'l1', dueComplete: true, pos: 3, labels: [] },
      { id: 'c1', idShort: 1, name: 'Read', desc: 'Text', closed: false, idList: 'l1', labels: [{ name: 'bug' }], idChecklists: ['k'], shortUrl: 'https://trello.com/c/x' },
      { id: 'c2', idShort: 2, name: 'Write', desc: '', closed: false, idList: 'l2' },
      { id: 'c4', idShort: 4, name: 'Gone', desc: '', closed: true, idList: 'l1' },
      { id: 'c5', idShort: 5, name: 'Gone too', desc: '', closed: false, idList: 'l3' }
    ],
    checklists: [{ id: 'k', idCard: 'c1', name: 'Steps', checkItems: [{ name: 'First', state: 'complete' }, { name: 'Second', state: 'incomplete' }] }]
  })
  const board = of('Cards')
  t.strictSame(planOf(board), ['1 in_progress Doing: Read', '3 done Doing: Ship', '2 done Done: Write'])
  t.match(board.plan?.items[0], { description: /bug[^]*Text[^]*Steps[^]*- \[x\] First\n- \[ \] Second/ })
  t.match(notes, [/2 archived cards/])
  t.strictSame(problems, [])
})

t.test('tables of other purposes are no exports', async (t) => {
  const { notes } = await imported(t, {
    'products.csv': 'Name,Description,Price\nCard,Text,1\n',
    'shops.csv': 'Name,City,State\nOne,Austin,TX\n',
    'issues.csv': 'Title,Status\nOne,Done\n'
  })
  t.match(notes, [/^issues\.csv: left out: it looks like linear-csv/])
})
