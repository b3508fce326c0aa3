// Following a folder: what changes is sent, the rest only named.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { PlanImport } from '../../src/importers/plan-import.js'
import { readPlanLines } from '../../src/importers/sync/plan-lines.js'
import { followSource } from '../../src/importers/watch/follow-source.js'
import { git, repositoryOf } from '../helpers/git.js'

const tasks = '- [ ] T001 First\n'

interface Sent {
  sent: string[]
  present: string[]
  unread: string[]
}

/** What an import sends. */
const received = async (lines: AsyncIterable<Uint8Array>): Promise<Sent> => {
  const { manifest, explorations } = await readPlanLines(lines)
  const sent: string[] = []
  for await (const { path } of explorations) sent.push(path)
  return { sent, present: manifest.present.map(([, path = '']) => path), unread: manifest.unread }
}

t.test('changes of a folder', async (t) => {
  const folder = t.testdir({
    specs: { '001-a': { 'tasks.md': tasks }, '002-b': { 'tasks.md': tasks } },
    '.taskmaster': { tasks: { 'tasks.json': '{"tasks": [{"id": 1, "title": "One"}]}' } }
  })
  repositoryOf(folder)
  const plans = await PlanImport.open(folder, { cwd: '/', workspace: 'team' })
  const imports: Sent[] = []
  const faults: unknown[] = []
  let wake = (): void => {}
  let refuse = false
  const following = await followSource<Sent>({
    plans,
    async send (lines) {
      if (refuse) throw new Error('away')
      return await received(lines)
    },
    onImported (summary) {
      imports.push(summary)
      wake()
    },
    onFailed (error) {
      faults.push(error)
      wake()
    },
    onFallback: () => {}
  })
  t.teardown(() => following.stop())
  const until = async (met: () => boolean): Promise<void> => {
    while (!met()) await new Promise<void>((resolve) => { wake = resolve })
  }
  const last = (): Sent => imports.at(-1)!

  t.strictSame(last().sent, ['specs/001-a', 'specs/002-b', '.taskmaster/tasks/tasks.json'])
  await t.test('an edit: only its unit is sent', async (t) => {
    writeFileSync(`${folder}/specs/001-a/tasks.md`, tasks.replace('[ ]', '[x]'))
    await until(() => imports.length === 2)
    t.strictSame(last(), {
      sent: ['specs/001-a'],
      present: ['specs/001-a', 'specs/002-b', '.taskmaster/tasks/tasks.json'],
      unread: []
    })
  })
  await t.test('a folder that is new, and what is written in it after', async (t) => {
    mkdirSync(`${folder}/specs/003-c`)
    writeFileSync(`${folder}/specs/003-c/spec.md`, '# C\n')
    await until(() => last().present.includes('specs/003-c'))
    writeFileSync(`${folder}/specs/003-c/tasks.md`, tasks)
    const before = imports.length
    await until(() => imports.length > before)
    t.strictSame(last().sent, ['specs/003-c'])
  })
  await t.test('a half-written file stays as it was, and is read when it is whole', async (t) => {
    writeFileSync(`${folder}/.taskmaster/tasks/tasks.json`, '{"tasks": [{"id": 1,')
    await until(() => last().unread.length > 0)
    t.strictSame(last(), {
      sent: [],
      present: ['specs/001-a', 'specs/002-b', 'specs/003-c'],
      unread: ['.taskmaster/tasks/tasks.json']
    })
    writeFileSync(`${folder}/.taskmaster/tasks/tasks.json`, '{"tasks": [{"id": 1, "title": "Uno"}]}')
    await until(() => last().unread.length === 0)
    t.ok(last().sent.includes('.taskmaster/tasks/tasks.json'))
  })
  await t.test('a file that is empty for a while is read when it is whole, and one that stays shorter too', async (t) => {
    const file = `${folder}/specs/001-a/tasks.md`
    const other = (title: string) => writeFileSync(`${folder}/specs/003-c/spec.md`, `# ${title}\n`)
    writeFileSync(file, '')
    let before = imports.length
    other('Other title')
    await until(() => imports.length > before)
    t.strictSame(last().sent, ['specs/003-c'], 'another change is sent without the empty file')
    t.ok(last().present.includes('specs/001-a'))
    writeFileSync(file, tasks.repeat(3))
    await until(() => last().sent.includes('specs/001-a'))
    t.notOk(imports.slice(before, -1).some(({ sent }) => sent.includes('specs/001-a')), 'once, when it is whole')
    before = imports.length
    writeFileSync(file, tasks)
    await until(() => imports.length > before)
    t.strictSame(last().sent, ['specs/001-a'])
  })
  await t.test('a folder that goes', async () => {
    rmSync(`${folder}/specs/002-b`, { recursive: true })
    await until(() => !last().present.includes('specs/002-b'))
  })
  await t.test('what could not be sent is sent with the next change', async (t) => {
    refuse = true
    writeFileSync(`${folder}/specs/001-a/tasks.md`, tasks)
    await until(() => faults.length > 0)
    refuse = false
    const before = imports.length
    writeFileSync(`${folder}/specs/003-c/tasks.md`, tasks.replace('First', 'Other'))
    await until(() => imports.length > before)
    t.ok(last().sent.includes('specs/001-a'), 'both changes')
  })
  await t.test('a change of branch', async (t) => {
    git(folder, 'checkout', '-qb', 'other')
    renameSync(`${folder}/specs/001-a`, `${folder}/specs/009-z`)
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'two')
    await until(() => last().present.includes('specs/009-z'))
    git(folder, 'checkout', '-qf', '-')
    await until(() => last().present.includes('specs/001-a'))
    t.notOk(last().present.includes('specs/009-z'))
  })
})
