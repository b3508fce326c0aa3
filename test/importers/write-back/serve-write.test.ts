// `serve --from . --write`: what agents report is in the file when they are answered, and nothing else of it has changed.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { commandLine } from '../../helpers/command-line.js'
import { git, repositoryOf } from '../../helpers/git.js'
import { importedFrom, toolsOf, type Json } from '../imported.js'
import { until } from '../../helpers/until.js'

const TASKS = '# Tasks\r\n\r\n## Phase 1: One\r\n\r\n- [x] T001 First\r\n- [ ] T002 Sécond\r\n- [ ] T003 Third\r\n\r\n## Phase 2: Two\r\n\r\n- [ ] T004 Fourth'
const FILES = {
  specs: { '001-pay': { 'spec.md': '# Feature Specification: Pay\n\n## Open Questions\n\n- Which bank?\n', 'tasks.md': TASKS } },
  backlog: {
    'config.yml': 'project_name: Shop\nstatuses: ["To Do", "In Progress", "Done"]\n',
    tasks: { 'task-1 - One.md': '---\nid: TASK-1\ntitle: One\nstatus: To Do\n---\n\nText\n' }
  }
}

t.test('from an empty database', async (t) => {
  const folder = t.testdir({ shop: FILES })
  const shop = join(folder, 'shop')
  repositoryOf(shop)
  git(shop, 'worktree', 'add', '-q', join(folder, 'second'))
  const file = join(shop, 'specs/001-pay/tasks.md')
  const task = join(shop, 'backlog/tasks/task-1 - One.md')
  const read = (path = file): string => readFileSync(path, 'utf8')
  chmodSync(file, 0o664)
  const cli = commandLine(t, { data: join(folder, 'data'), env: { USER: 'ada' } })
  const start = async () => await cli.serve(`serve --from ${shop} --write --port 0 --json`)
  const first = await start()
  const hello = JSON.parse(first.hello) as Json
  const { planFiles } = await cli.backend()
  const use = toolsOf(hello['endpoint'], hello['key'])
  const ids = new Map((await importedFrom(shop, { workspace: 'shop' })).all.map(({ format, exploration: { id } }) => [String(format), id]))
  const [pay, board] = [ids.get('spec-kit')!, ids.get('backlog-md')!]
  const report = async (item: string, status = 'done', exploration = pay): Promise<Json> => {
    const place = { exploration_id: exploration, item_id: item }
    for (;;) {
      const { claimed, current } = await use('claim_item', place)
      const evidence = [{ kind: 'commit', ref: '1' }]
      const reply = await use('report_progress', { ...place, status, evidence, ...(!claimed && { expected_revision: current.revision }) })
      if (reply['written']) return reply
      // The follower has imported an edit meanwhile: an agent reads again.
      if (reply['reason'] !== 'changed') throw new Error(JSON.stringify(reply))
    }
  }
  const accept = async (exploration: string, change: Json): Promise<void> => {
    const { proposal_id: id } = await use('propose_change', { exploration_id: exploration, changes: [change], rationale: 'better' })
    await cli.json(`proposals accept ${id} --user ada@localhost`)
  }
  /** The proposals of imports, and what people have not decided. */
  const open = async () => await cli.json<Json[]>('proposals list --state open')
  /** Waits until the follower has seen that the files say so. */
  const settled = async (): Promise<void> => {
    await until(async () => (await planFiles.patch(pay)).patch + (await planFiles.patch(board)).patch === '')
  }

  t.match(hello['plans'].join('\n'), /is written into these files, in .*shop\. Nothing is committed\./)
  t.match(hello['plans'].join('\n'), /other working trees: \S+second\. Connect their agents to this server:/)
  t.match(await cli.json('workspaces list'), [{ slug: 'shop', agents: 'report' }])

  await t.test('a report is in the file, and the reply names it', async (t) => {
    const { text, written } = await report('T002')
    t.ok(written)
    t.ok(text.includes(`${file}:6`), text)
    t.equal(git(shop, 'diff', '--numstat'), '1\t1\tspecs/001-pay/tasks.md')
    t.equal(read(), TASKS.replace('[ ] T002', '[x] T002'))
    t.equal(statSync(file).mode & 0o777, 0o664)
  })

  await t.test('it is not taken for the edit of somebody else', async (t) => {
    await settled()
    const kinds = (await cli.json<Json[]>(`history --exploration ${pay}`)).map(({ target }) => target.kind)
    t.equal(kinds.filter((kind) => kind === 'import').length, 1, 'the first import')
    t.match((await use('get_planning_full', { exploration_id: pay }))['items'][1], { id: 'T002', status: 'done', revision: 2 })
    t.match(await cli.json(`import ${shop}`), { written: 0 })
    t.same(await open(), [])
  })

  await t.test('taken back in an editor before the follower has looked, it is open again', async (t) => {
    const before = read()
    await report('T003')
    writeFileSync(file, before)
    await until(async () => (await use('get_planning_full', { exploration_id: pay }))['items'][2].status === 'todo')
    t.equal(read(), before)
  })

  await t.test('a status, an answer, undo', async (t) => {
    const before = read()
    await report('TASK-1', 'in_progress', board)
    t.match(read(task), /^status: In Progress$/m)
    await cli.json(['questions', 'answer', 'q1', '--exploration', pay, '--user', 'ada@localhost', '--text', 'Ours.'])
    t.match(read(join(shop, 'specs/001-pay/spec.md')), /^- Which bank\?\n {2}- \*\*Answer:\*\* Ours\.\n$/m)
    await report('T004')
    t.match(read(), /- \[x\] T004 Fourth$/)
    const row = (await cli.json<Json[]>(`history --exploration ${pay}`)).find(({ target }) => target.kind === 'item' && target.id === 'T004')!
    await cli.json(`undo ${row['id']} --user ada@localhost`)
    t.equal(read(), before)
    await settled()
    t.same(await open(), [])
  })

  await t.test('an added task of Backlog.md is a file of its own, and one item', async (t) => {
    const path = (name: string): string => join(shop, 'backlog/tasks', name)
    const add = async (title: string): Promise<void> => await accept(board, { kind: 'add_item', group_id: 'g1', title })
    await add('Two: more')
    t.match(read(path('task-2 - Two-more.md')), /^---\nid: TASK-2\ntitle: "Two: more"\nstatus: To Do\n[^]*\n---\n$/)
    await add('Three')
    await settled()
    t.match(await cli.json(`import ${shop}`), { written: 0 })
    t.same((await use('get_planning_full', { exploration_id: board }))['items'].map(({ id, title }: Json) => [id, title]), [['TASK-1', 'One'], ['TASK-2', 'Two: more'], ['TASK-3', 'Three']])
    // Never through a link.
    symlinkSync(join(shop, 'elsewhere.md'), path('task-4 - Four.md'))
    await add('Four')
    t.notOk(existsSync(join(shop, 'elsewhere.md')))
    unlinkSync(path('task-4 - Four.md'))
    await add('Five')
    t.ok(existsSync(path('task-4 - Four.md')) && existsSync(path('task-5 - Five.md')))
    await settled()
  })

  await t.test('somebody edits the file at the same time', async (t) => {
    for (const [status, mark] of [['done', 'x'], ['todo', ' ']] as const) {
      writeFileSync(`${file}.new`, read().replace('## Phase 1', `- [ ] T01${status.length} Added\r\n\r\n## Phase 1`))
      const reported = report('T003', status)
      renameSync(`${file}.new`, file)
      await reported
      await until(() => read().includes(`- [${mark}] T003 Third`))
      t.ok(read().includes(`T01${status.length} Added`), 'their edit stays')
      await settled()
    }
    t.same(await open(), [])
  })

  await t.test('a file that says otherwise meanwhile is a proposal', async (t) => {
    await settled()
    // It is not written through a link.
    renameSync(task, join(shop, 'one.md'))
    symlinkSync('../../one.md', task)
    await report('TASK-1', 'done', board)
    writeFileSync(join(shop, 'one.md'), read(task).replace('In Progress', 'To Do'))
    await until(async () => (await open()).length > 0)
    const [disputed] = await open()
    t.match(disputed, { changes: [{ kind: 'edit_item', item_id: 'TASK-1', status: 'todo' }], proposed_by: { user: 'import' } })
    unlinkSync(task)
    renameSync(join(shop, 'one.md'), task)
    await until(async () => (await cli.run(['patch', '--from', shop])).out !== '')
    t.match(read(task), /status: To Do/, 'nothing is written before somebody has decided')
    await cli.run(['proposals', 'dismiss', disputed!['id'], '--user', 'ada@localhost', '--reason', 'It is done.'])
    t.match(read(task), /status: Done/)
  })

  await t.test('a package that was edited here is proposed once, however often its file is ticked', async (t) => {
    await accept(pay, { kind: 'edit_package', artifact_type: 'code', find: 'Phase 2: Two', replace: 'Phase 2: Zwei' })
    for (const status of ['done', 'todo', 'done']) {
      await report('T004', status)
      await settled()
    }
    await until(async () => (await open()).some(({ changes: [made] }) => made.markdown?.includes('Phase 2: Two\r\n\r\n- [x] T004')))
    t.same((await open()).map(({ changes: [made] }) => [made.kind, made.artifact_type]), [['edit_package', 'code']])
  })

  await t.test('never through a link, nor into what git ignores', async (t) => {
    const elsewhere = join(folder, 'elsewhere.md')
    renameSync(file, elsewhere)
    symlinkSync(elsewhere, file)
    const before = read(elsewhere)
    t.notMatch((await report('T002', 'todo'))['text'], /tasks\.md:/)
    t.equal(read(elsewhere), before)
    unlinkSync(file)
    mkdirSync(join(shop, 'real'))
    renameSync(elsewhere, join(shop, 'real/tasks.md'))
    symlinkSync('../../real/tasks.md', file)
    await report('T003')
    t.equal(read(), before, 'a link inside the folder neither')
    unlinkSync(file)
    git(shop, 'rm', '-rq', '--cached', 'specs')
    writeFileSync(join(shop, '.git/info/exclude'), 'specs/\n')
    writeFileSync(file, before)
    await report('T001', 'todo')
    t.equal(read(), before)
    t.same(readdirSync(join(shop, 'specs/001-pay')), ['spec.md', 'tasks.md'])
  })

  await t.test('what was not written before the end is written by the next start', async (t) => {
    // Nothing is written through a link, and the follower reads the same text through it.
    renameSync(task, `${task}.real`)
    symlinkSync(`${basename(task)}.real`, task)
    await report('TASK-1', 'todo', board)
    await first.stop()
    unlinkSync(task)
    renameSync(`${task}.real`, task)
    t.match(read(task), /status: Done/)
    await start()
    await until(() => read(task).includes('status: To Do'))
  })
})
